// The kinds of environment variables, each with its documentation.
import {
  FormatRegistry,
  Type,
  type Static,
  type TArray,
  type TInteger,
  type TLiteral,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
} from '@sinclair/typebox'
import { isNetwork } from '../lib/networks.ts'
import { parseRedisUrl } from '../lib/redis-url.ts'

/**
 * The documentation of a variable, for error messages, docs/configuration.md and .env.example. `shown` describes a default that
 * is not a constant. Without it and `default`, there is none. The value of a secret is never printed.
 */
export type About<Default = never> = {
  about: string
  accepts?: string
  shown?: string
  default?: Default
  isSecret?: boolean
}

/** A variable without a default is optional. */
type Variable<Schema extends TSchema, Default> = [Default] extends [never] ? TOptional<Schema> : Schema

export type OptionalText = TOptional<TString>
export type OptionalTexts = TOptional<TArray<TString>>

/** The values of variables. Optional ones include `undefined`, so that types that are inferred from them do. */
export type Values<Variables extends TProperties> = WithUndefined<Static<TObject<Variables>>>
type WithUndefined<Given> = { [Name in keyof Given]: Given[Name] | (undefined extends Given[Name] ? undefined : never) }

/** Returns the problem that a variable is not set, if that is so. */
export type Missing<Given> = (name: keyof Given, why: string) => string[]

/** A kind of SMS provider: the variables that it needs, and its configuration. */
export type ProviderKind<Given, ProviderConfig = unknown> = Readonly<{
  required: readonly (keyof Given & string)[]
  /** Missing variables were rejected before. */
  parse(given: Given): ProviderConfig
  /** Lists what is missing because of other variables. */
  problems?(given: Partial<Given>, missing: Missing<Given>): string[]
}>

/** What an HTTP URL may be, for messages */
export const WEB_ADDRESS = 'an http or https URL without user name and password'

FormatRegistry.Set('url', (text) => URL.canParse(text))
FormatRegistry.Set('web-address', isWebAddress)
FormatRegistry.Set('network', isNetwork)
FormatRegistry.Set('redis-url', (text) => parseRedisUrl(text) !== undefined)

function variable<Schema extends TSchema, Default>(schema: Schema): Variable<Schema, Default> {
  return (schema.default === undefined ? Type.Optional(schema) : schema) as Variable<Schema, Default>
}

export function text<Default extends string = never>(
  about: About<Default> & { pattern?: string; format?: string },
): Variable<TString, Default> {
  return variable(Type.String({ minLength: 1, accepts: 'text', ...about }))
}

export function secret(about: string): OptionalText {
  return text({ about, accepts: 'printable ASCII characters without spaces', pattern: '^[!-~]+$', isSecret: true })
}

export function signingSecrets(about: About): OptionalTexts {
  return texts('^whsec_[A-Za-z0-9+/]{32,86}={0,2}$', {
    accepts: 'whsec_ followed by 24 to 64 random bytes in base64, or a list of these',
    isSecret: true,
    ...about,
  })
}

/** An HTTP URL that may have credentials */
export function httpUrl(about: About): OptionalText {
  return text({ format: 'url', pattern: '^https?://[^/]', accepts: 'an http or https URL', ...about })
}

/** An HTTP URL to which paths are added */
export function baseAddress(about: About): OptionalText {
  return webAddress({ pattern: '^[^?#]*$', accepts: `${WEB_ADDRESS}, and without ? and #`, ...about })
}

/** An HTTP URL. Credentials before an `@` are rejected, because they would not be sent. */
export function webAddress<Default extends string = never>(
  about: About<Default> & { pattern?: string },
): Variable<TString, Default> {
  return variable(Type.String({ format: 'web-address', accepts: WEB_ADDRESS, ...about }))
}

export function number<Default extends number = never>(
  minimum: number,
  maximum: number,
  about: About<Default>,
): Variable<TInteger, Default> {
  return variable(Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}`, ...about }))
}

export function oneOf<const Word extends string, Default extends Word = never>(
  words: readonly Word[],
  about: About<Default>,
): Variable<TUnion<TLiteral<Word>[]>, Default> {
  const accepts = words.length === 1 ? words.join() : `one of ${words.join(', ')}`
  return variable(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      { accepts, ...about },
    ),
  )
}

export function list<Item extends TSchema>(item: Item, about: About & { accepts: string }): TOptional<TArray<Item>> {
  return Type.Optional(Type.Array(item, { minItems: 1, ...about }))
}

export function texts(pattern: string, about: About & { accepts: string }): OptionalTexts {
  return list(Type.String({ pattern }), about)
}

export function origins(about: About): OptionalTexts {
  return texts('^https?://[^/,]+$', { accepts: 'a list of origins, such as https://app.example', ...about })
}

function isWebAddress(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
