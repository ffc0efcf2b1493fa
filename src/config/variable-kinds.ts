// The kinds of environment variables there are, each with the words in which it is explained.
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

/**
 * What a variable is for, and what it accepts: the words of error messages, of README.md and of .env.example. Where it has
 * no `default`, or one that depends on others, `shown` says what holds without it.
 */
export type About<Value = string> = { about: string; accepts: string; shown?: string; default?: Value }

FormatRegistry.Set('url', (text) => URL.canParse(text))
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('network', isNetwork)

export function text(about: About, pattern?: string): TString {
  return Type.String({ minLength: 1, ...(pattern !== undefined && { pattern }), ...about })
}

export function url(protocols: string, about: About): TString {
  return Type.String({ format: 'url', pattern: `^(${protocols}):`, ...about })
}

/** An address that is asked or shown over HTTP; what stands before an `@` in it would not be sent. */
export function webAddress(about: Omit<About, 'accepts'>): TString {
  return Type.String({
    format: 'web-address',
    accepts: 'an http or https URL, without a name and a password',
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
    { accepts: `one of ${words.join(', ')}`, ...about },
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

/** An address, or a network such as 10.0.0.0/8. */
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
