import t from 'tap'
import type { DigestedNotice, DueMail, MailContent, QueuedMessage } from '../../src/domain/mail.ts'
import { composeDigest } from '../../src/services/notifications/digest.ts'

const open = (sealed: Uint8Array): MailContent | undefined =>
  sealed.length === 0 ? undefined : (JSON.parse(Buffer.from(sealed).toString()) as MailContent)
const context = { mailSeal: { open, seal: () => new Uint8Array() } }
const message = (text: string, language?: 'ar' | 'en'): QueuedMessage => ({
  ...{ kind: 'message', to: 'a@example.org', subject: 'A change was requested', reference: 'r', text, language },
})

function notice(id: number, more: Partial<DigestedNotice> = {}): DigestedNotice {
  const createdAt = new Date(Date.UTC(2026, 10, 24, 9, id))
  const plain = { topic: 'password', createdAt, hasToken: false, isObsolete: false, sealed: new Uint8Array() }
  return { id: BigInt(id), ...plain, ...more }
}

function linked(id: number, more: Partial<DigestedNotice> = {}): DigestedNotice {
  const sealed = Buffer.from(JSON.stringify(message(`link ${id}.`)))
  return notice(id, { topic: 'email_change', hasToken: true, sealed, ...more })
}

function due([first = notice(0), ...others]: DigestedNotice[]): DueMail {
  const attempt = { takenAt: new Date(), attempts: 1, secondsLeft: 9, traceParent: null }
  return { ...first, ...attempt, messageId: 'm', accountId: 1, others }
}

void t.test('lists 50 notices and counts the others by subject', (t) => {
  const notices = Array.from({ length: 60 }, (_, id) => notice(id, { topic: id < 58 ? 'password' : 'phone' }))
  const { text = '', subject } = composeDigest(message('', 'en'), due(notices), context) ?? {}
  t.equal(subject, 'More notices about your account')
  t.match(text, 'This message replaces 60 notices')
  t.equal(text.match(/^2026-11-24 \d\d:\d\d UTC {2}Your password was changed$/gm)?.length, 50)
  t.match(text, '+8  Your password was changed\n+2  Your phone number was changed')
  t.end()
})

void t.test('is in the language of the first notice', (t) => {
  const { text, subject } = composeDigest(message('', 'ar'), due([notice(1), notice(2), notice(3)]), context) ?? {}
  t.equal(subject, 'إشعارات أخرى عن حسابك')
  t.match(text, 'محل 3 إشعارات')
  t.match(text, '2026-11-24 09:01 UTC  تم تغيير كلمة المرور')
  t.end()
})

void t.test('has the texts of the newest ten valid links of a topic', (t) => {
  const notices = Array.from({ length: 14 }, (_, id) => linked(id, { isObsolete: id === 13 }))
  const { text = '' } = composeDigest(message('', 'en'), due(notices), context) ?? {}
  const found = [...text.matchAll(/link (\d+)\./g)].map(([, id]) => Number(id))
  t.same(found, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
  t.end()
})

void t.test('is not composed without a key for one of its links', (t) => {
  const notices = [linked(1), linked(2, { sealed: new Uint8Array() })]
  t.equal(composeDigest(message('', 'en'), due(notices), context), undefined)
  t.end()
})
