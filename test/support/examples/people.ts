// The people who send the examples: the demo accounts, and those whom the examples register.
import { DEMO_PASSWORD } from '../../../src/store/demo.ts'
import type { Received } from '../answers.ts'
import { sender, type Send } from '../sender.ts'
import { tokensIn, type Tokens } from '../world.ts'
import type { OperationId } from '../../../src/contract.ts'
import type { Example } from './document.ts'

export const DEMO = ['client', 'lawyer', 'admin'] as const
export type DemoAccount = (typeof DEMO)[number]

/** The addresses that registered, and the demo accounts */
export type Who = string

export type People = {
  send(id: OperationId): Send
  logIn(who: DemoAccount): Promise<Tokens>
  /** An access token that works, of whoever it is */
  tokenOf(who: Who): Promise<string>
  /** Who sends an example, and everybody else who can */
  whoSends(example: Example): Who[]
  /** Remembers what the example has changed: passwords, sessions and accounts. */
  remember(example: Example, received: Received): void
  /** What a pattern finds in the newest unsent message to an address or a number in which it finds anything */
  inMessagesTo(address: string, pattern: RegExp): Promise<string | undefined>
}

/** Operations whose examples set the password of the demo client */
const PASSWORD_FIELDS: Readonly<Record<string, string>> = { changePassword: 'new_password', resetPassword: 'password' }

export function peopleOf(origin: string): People {
  const passwords = new Map<Who, string>(DEMO.map((who) => [who, DEMO_PASSWORD]))
  const tokens = new Map<Who, string>()
  const registered = new Map<Who, string>()
  const send = (id: OperationId): Send => sender(origin, id, '127.0.0.1')
  const logIn = async (who: DemoAccount): Promise<Tokens> =>
    tokensIn(await send('login')({ json: { email: `${who}@demo.test`, password: passwords.get(who) } }))
  return {
    send,
    logIn,
    async tokenOf(who) {
      const token = registered.get(who) ?? tokens.get(who) ?? (await logIn(who as DemoAccount)).token
      tokens.set(who, token)
      return token
    },
    whoSends({ path, method, body, isSecured, isTokenOptional, parameters }) {
      const isLink = isTokenOptional && 'expires' in parameters.query && 'signature' in parameters.query
      if (!isSecured || isLink) return ['nobody']
      if (path.startsWith('/api/v1/admin/')) return ['admin']
      if (body?.['account_type'] === 'lawyer') return ['lawyer']
      const canAll = method === 'GET' && !path.includes('{')
      return canAll ? ['client', 'lawyer', ...registered.keys()] : ['client']
    },
    remember({ id, method, body }, received) {
      if (method !== 'GET') tokens.clear()
      const field = PASSWORD_FIELDS[id]
      const owner = { phone: 'client', email: 'admin' }[String(body?.['by'])] ?? 'client' // whose the examples of a reset are
      if (field !== undefined) passwords.set(owner, String(body?.[field]))
      if (id === 'register') registered.set(String(body?.['email']), tokensIn(received).token)
    },
    async inMessagesTo(address, pattern) {
      const outbox = (await (await fetch(`${origin}/dev/outbox`)).json()) as {
        data: { messages: { to: string; text: string }[] }
      }
      const found = outbox.data.messages.flatMap(({ to, text }) => (to === address ? (pattern.exec(text) ?? []) : []))
      return found[0]
    },
  }
}
