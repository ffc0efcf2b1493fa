import { LIMITS } from '../../../generated/limits.ts'
import type { OutboxMessage } from '../../adapters/outbox.ts'
import type { AccountEvent } from '../../domain/event.ts'
import type { Channel } from '../../domain/phones/sms.ts'

/** A message as `GET /dev/outbox` returns it. `code` and `link` are those in the text; a call spells the code out. */
type ListedMessage = Readonly<{
  channel: Channel | 'email'
  /** `rejected`: the channel cannot reach the number, so the message was sent by SMS */
  outcome: 'sent' | 'rejected'
  to: string
  subject?: string | undefined
  text: string
  code: string | null
  link: string | null
  reference: string
  sent_at: string
}>

const CODE = new RegExp(`(?<!\\d)\\d{${LIMITS.otp.digits}}(?!\\d)`)
const LINK = /https?:\/\/\S+/

export function toListed(message: OutboxMessage & { sentAt: string }): ListedMessage {
  const { to, subject, channel = 'sms', text, code, reference, isRejected = false, sentAt } = message
  return {
    channel: subject === undefined ? channel : 'email',
    outcome: isRejected ? 'rejected' : 'sent',
    to,
    subject,
    text,
    code: code ?? CODE.exec(text)?.[0] ?? null,
    link: LINK.exec(text)?.[0] ?? null,
    reference,
    sent_at: sentAt,
  }
}

/** Allows the styles of the page and its form, and no scripts. */
export const OUTBOX_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const STYLE = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a }
  h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
  article { border: 1px solid #ddd; border-radius: 8px; padding: .75rem 1rem; margin: .75rem 0 }
  header { display: flex; gap: .75rem; flex-wrap: wrap; color: #555; font-size: .875rem }
  header b { color: #1a1a1a } header strong { color: #b3261e } p { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0 }
  .code { font: 600 1.5rem ui-monospace, monospace; letter-spacing: .1em; margin-top: .5rem }
  form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center } input { flex: 1; min-width: 14rem; font: inherit; padding: .35rem .5rem } button { font: inherit }
  pre { overflow-x: auto; font-size: .8rem; margin: .5rem 0 0 }
  @media (prefers-color-scheme: dark) {
    body { background: #161616; color: #eee } header { color: #aaa } header b { color: #eee } header strong { color: #f2b8b5 }
    article { border-color: #3a3a3a } a { color: #8ab4f8 }
  }`

const CHANNELS = { sms: 'SMS', whatsapp: 'WhatsApp', voice: 'Call', email: 'E-mail' }

type Shown = {
  messages: readonly ListedMessage[]
  events: readonly (AccountEvent & { id: string })[]
  to: string | undefined
}

/** Builds the page that lists messages and events, newest first. */
export function buildOutboxPage({ messages, events, to }: Shown): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox · Tawthiq</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>Outbox</h1>
<form>
<input name="to" value="${escape(to ?? '')}" placeholder="Phone number or e-mail address, such as +966512345678" aria-label="Recipient">
<button>Filter</button>
${to === undefined ? '' : '<a href="/dev/outbox">Show all</a>'}
</form>
<h2>Messages</h2>
${messages.map(messageHtml).join('') || '<p>No messages.</p>'}
<h2>Events</h2>
${events.map(eventHtml).join('') || '<p>No events.</p>'}
</body>
</html>
`
}

function messageHtml({ channel, outcome, to, subject, text, code, link, sent_at: sentAt }: ListedMessage): string {
  const rejected = outcome === 'rejected' ? ' <strong>Rejected, not sent</strong>' : ''
  return `<article>
<header><b>${CHANNELS[channel]}</b>${rejected} <span dir="ltr">${escape(to)}</span> <time>${escape(sentAt)}</time></header>
${code === null ? '' : `<div class="code">${escape(code)}</div>`}
${subject === undefined ? '' : `<p dir="auto"><b>${escape(subject)}</b></p>`}
<p dir="auto">${escape(text)}</p>
${link === null ? '' : `<p><a href="${escape(link)}" rel="noreferrer">Open the link</a></p>`}
</article>
`
}

function eventHtml(event: AccountEvent & { id: string }): string {
  return `<article>
<header><b>${escape(event.type)}</b> <span>${escape(event.id)}</span></header>
<pre>${escape(JSON.stringify(event, undefined, 2))}</pre>
</article>
`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
