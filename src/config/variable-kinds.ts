// The kinds of environment variables, each with its documentation.
import {
  FormatRegistry,
  Type,
  type TArray,
  type TInteger,
  type TLiteral,
  type TSchema,
  type TString,
  type TUnion,
} from '@sinclair/typebox'
import { isIP } from 'node:net'
import { parseRedisUrl } from '../lib/redis-url.ts'

/**
 * The documentation of a variable, for error messages, docs/configuration.md and .env.example. `shown` describes the default
 * where there is no `default`, or where it depends on other variables.
 */
export type About<Value = string> = { about: string; accepts: string; shown?: string; default?: Value }

/** What an HTTP URL may be, for messages */
export const WEB_ADDRESS = 'an http or https URL without user name and password'

FormatRegistry.Set('url', (text) => URL.canParse(text))
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('network', isNetwork)
FormatRegistry.Set('redis-url', (text) => parseRedisUrl(text) !== undefined)

export function text(about: About, pattern?: string): TString {
  return Type.String({ minLength: 1, ...(pattern !== undefined && { pattern }), ...about })
}

export function url(protocols: string, about: About): TString {
  return Type.String({ format: 'url', pattern: `^(${protocols})://[^/]`, ...about })
}

/** A URL of PostgreSQL. Its hosts and parameters are checked separately, with a sentence for each problem. */
export function postgresUrl(about: About): TString {
  return Type.String({ pattern: '^(postgres|postgresql):', ...about })
}

export function redisUrl(about: About): TString {
  return Type.String({ format: 'redis-url', ...about })
}

/** An HTTP URL. Credentials before an `@` are rejected, because they would not be sent. */
export function webAddress(about: Omit<About, 'accepts'>): TString {
  return Type.String({
    format: 'web-address',
    accepts: WEB_ADDRESS,
    ...about,
  })
}

export function number(minimum: number, maximum: number, about: Omit<About<number>, 'accepts'>): TInteger {
  return Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}`, ...about })
}

export function oneOf<const Word extends string>(
  words: readonly Word[],
  about: Omit<About<Word>, 'accepts'>,
): TUnion<TLiteral<Word>[]> {
  return Type.Union(
    words.map((word) => Type.Literal(word)),
    { accepts: words.length === 1 ? words.join() : `one of ${words.join(', ')}`, ...about },
  )
}

export function list<Item extends TSchema>(item: Item, about: About<never>): TArray<Item> {
  return Type.Array(item, { minItems: 1, ...about })
}

function isWebAddress(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Returns whether a text is an IP address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '1', ...more] = text.split('/')
  const version = isIP(address)
  return (
    version > 0 &&
    more.length === 0 &&
    /^[0-9]{1,3}$/.test(bits) &&
    Number(bits) > 0 &&
    Number(bits) <= (version === 4 ? 32 : 128)
  )
}
