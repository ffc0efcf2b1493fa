// The callers of the examples: the demo accounts and the accounts that the examples register.
import { DEMO_PASSWORD } from '../../../src/store/demo-data.ts'
import type { Received } from '../service/responses.ts'
import { sender, type Send } from '../service/sender.ts'
import { tokensIn, type Tokens } from '../service/world.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { Example } from './document.ts'

export const DEMO = ['client', 'lawyer', 'admin'] as const
export type DemoAccount = (typeof DEMO)[number]

/** Operations with a second factor, which leave the session valid: a login of their account would need a code. */
const FACTOR_PATHS = /^\/api\/v1\/auth\/(totp.*|recovery-codes|passkey.*|.*\/passkey.*)$/

/** A demo account or a registered e-mail address */
export type Caller = string

export type People = {
  send(id: OperationId): Send
  logIn(account: DemoAccount): Promise<Tokens>
  /** Returns a valid access token of a caller. */
  tokenOf(caller: Caller): Promise<string>
  /** Returns the callers that can send an example. */
  callersFor(example: Example): Caller[]
  /** Remembers the passwords, sessions and accounts that an example has changed. */
  remember(example: Example, received: Received): void
  /** Returns the match of a pattern in the newest unsent message to an address or number that matches. */
  inMessagesTo(address: string, pattern: RegExp): Promise<string | undefined>
}

/** Operations with examples that set a password, and their fields */
const PASSWORD_FIELDS: Readonly<Record<string, string>> = { changePassword: 'new_password', resetPassword: 'password' }

export function peopleOf(origin: string): People {
  const passwords = new Map<Caller, string>(DEMO.map((account) => [account, DEMO_PASSWORD]))
  const tokens = new Map<Caller, Promise<string>>()
  const registered = new Map<Caller, string>()
  const send = (id: OperationId): Send => sender(origin, id, '127.0.0.1')
  const logIn = async (account: DemoAccount): Promise<Tokens> =>
    tokensIn(await send('login')({ json: { email: `${account}@demo.test`, password: passwords.get(account) } }))
  return {
    send,
    logIn,
    async tokenOf(caller) {
      const known = registered.get(caller)
      if (known !== undefined) return known
      const token = tokens.get(caller) ?? logIn(caller as DemoAccount).then((begun) => begun.token)
      tokens.set(caller, token) // parameters of one example are of one session
      return token
    },
    callersFor({ id, path, method, body, isSecured, isTokenOptional, parameters }) {
      const isLink = isTokenOptional && 'expires' in parameters.query && 'signature' in parameters.query
      if (!isSecured || isLink) return ['anonymous']
      if (path.startsWith('/api/v1/admin/') || FACTOR_PATHS.test(path)) return ['admin'] // with a verified address
      if (id === 'getFile') return ['lawyer'] // whose document it is
      if (body?.['account_type'] === 'lawyer' || body?.['about'] !== undefined) return ['lawyer']
      const canAll = method === 'GET' && !path.includes('{')
      return canAll ? ['client', 'lawyer', ...registered.keys()] : ['client']
    },
    remember({ id, path, method, body }, received) {
      if (method !== 'GET' && !FACTOR_PATHS.test(path)) tokens.clear()
      if (id === 'reauthenticateWithPasskey') tokens.set('admin', Promise.resolve(tokensIn(received).token))
      const field = PASSWORD_FIELDS[id]
      const owner = { phone: 'client', email: 'admin' }[String(body?.['by'])] ?? 'client' // the accounts in the examples of a reset
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
