// The users who send requests, and the values that responses have revealed to them.
import { login, tokensIn } from '../load/requests.ts'
import { sendValid } from '../load/send.ts'
import type { FuzzedService } from './service.ts'
import type { Reply } from './send.ts'
import type { Random } from './random.ts'
import type { PersonaName } from './requests.ts'
import type { Known } from './values.ts'

export type Personas = {
  /** Returns an access token; undefined for anonymous requests. */
  tokenOf(who: PersonaName, random: Random): Promise<string | undefined>
  /** Forgets a token that has ended, whatever request has ended it. */
  forget(token: string | undefined): void
  /** Remembers the ids, the tokens and the cursors of an answer. */
  learn(answer: Reply): void
  knownBy(random: Random): Known
}

const TOKENS_MAX = 3
const VALUES_MAX = 30
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Which known values a field may have */
const SOURCES: Readonly<Record<string, string>> = {
  session_id: 'uuid',
  id: 'uuid',
  file_id: 'file_id',
  expires: 'expires',
  signature: 'signature',
  cursor: 'next_cursor',
  refresh_token: 'refresh_token',
  review_version: 'review_version',
  user_id: 'number',
  account_id: 'number',
  actor_id: 'number',
}

export function createPersonas(service: FuzzedService): Personas {
  const tokens = new Map<PersonaName, string[]>()
  const values = new Map<string, unknown[]>()

  const note = (source: string, value: unknown): void => {
    values.set(source, [value, ...(values.get(source) ?? [])].slice(0, VALUES_MAX))
  }
  const learnFrom = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) learnFrom(inner, Array.isArray(value) ? name : member)
      return
    }
    if (typeof value === 'string' && value.startsWith('/api/v1/files/')) noteFile(value)
    else if (name === 'id') note(typeof value === 'string' && UUID.test(value) ? 'uuid' : 'number', value)
    else if (['next_cursor', 'refresh_token', 'review_version'].includes(name) && value !== null) note(name, value)
  }
  const noteFile = (link: string): void => {
    const { pathname, searchParams } = new URL(link, service.origin)
    note('file_id', pathname.split('/').at(-1))
    for (const name of ['expires', 'signature']) if (searchParams.has(name)) note(name, searchParams.get(name))
  }
  return {
    async tokenOf(who, random) {
      if (who === 'anonymous') return undefined
      const own = tokens.get(who) ?? []
      tokens.set(who, own)
      if (own.length < TOKENS_MAX) {
        const account = await service.newAccount(who)
        own.push(tokensIn(await sendValid(service.origin, login(account, account.password))).token)
      }
      return own[random.int(0, own.length - 1)]
    },
    forget(token) {
      for (const own of tokens.values())
        if (token !== undefined && own.includes(token)) own.splice(own.indexOf(token), 1)
    },
    learn({ status, body }) {
      if (status < 300 && typeof body === 'object') learnFrom(body, '')
    },
    knownBy: (random) => (name) => {
      const found = values.get(SOURCES[name] ?? '') ?? []
      return found.length > 0 ? random.pick(found) : undefined
    },
  }
}
