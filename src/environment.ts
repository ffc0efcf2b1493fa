import {
  FormatRegistry,
  Type,
  type Static,
  type TArray,
  type TInteger,
  type TLiteral,
  type TSchema,
  type TString,
  type TUnion,
} from '@sinclair/typebox'
import { isIP } from 'node:net'
import { LIMITS } from '../generated/limits.ts'

/** What a variable is for, and what it accepts: the words of error messages, of README.md and of .env.example. */
type About = { about: string; accepts: string; shown?: string }

FormatRegistry.Set('url', (text) => URL.canParse(text))
FormatRegistry.Set('network', isNetwork)

const text = (about: About, pattern?: string): TString =>
  Type.String({ minLength: 1, ...(pattern !== undefined && { pattern }), ...about })
const url = (protocols: string, about: About): TString =>
  Type.String({ format: 'url', pattern: `^(${protocols}):`, ...about })
const number = (minimum: number, maximum: number, about: Omit<About, 'accepts'>): TInteger =>
  Type.Integer({ minimum, maximum, accepts: `a whole number from ${minimum} to ${maximum}`, ...about })
const oneOf = <const Word extends string>(
  words: readonly Word[],
  about: Omit<About, 'accepts'>,
): TUnion<TLiteral<Word>[]> =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { accepts: `one of ${words.join(', ')}`, ...about },
  )
const list = <Item extends TSchema>(item: Item, about: About): TArray<Item> =>
  Type.Array(item, { minItems: 1, ...about })

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every environment variable that the service reads. Lists are separated by commas. */
export const Environment = Type.Partial(
  Type.Object({
    NODE_ENV: oneOf(['development', 'production', 'test'], {
      about: 'In production nothing falls back silently, and there is no demo data.',
      shown: 'development',
    }),
    HOST: text({
      about: 'The address to listen on.',
      accepts: 'an address or a host name',
      shown: '127.0.0.1; 0.0.0.0 in production',
    }),
    PORT: number(0, 65535, { about: 'The port to listen on; 0 takes a free one.', shown: '3000' }),
    DATA_DIR: text({
      about: 'Where the embedded database and the keys are kept.',
      accepts: 'a folder',
      shown: './data',
    }),
    DATABASE_URL: url('postgres|postgresql', {
      about: 'The PostgreSQL server. Without it the embedded database is used. Required in production.',
      accepts: 'postgresql://user:password@host:port/database',
    }),
    DATABASE_CONNECTIONS: number(1, 500, {
      about: 'How many connections to the server one instance may open.',
      shown: '10',
    }),
    REDIS_URL: url('redis|rediss', {
      about: 'The Redis or Valkey server that instances share their limits by. Required in production.',
      accepts: 'redis://host:port or rediss://host:port',
    }),
    SMS_PROVIDERS: list(Type.Union([Type.Literal('log'), Type.Literal('webhook')]), {
      about: 'Who sends SMS, in order of failover. `log` sends nothing; it is refused in production.',
      accepts: 'a list of log, webhook',
      shown: 'log; required in production',
    }),
    SMS_WEBHOOK_URL: url('http|https', {
      about: 'Where the provider `webhook` posts `{to, text, reference}`.',
      accepts: 'an http or https URL',
    }),
    SMS_WEBHOOK_TOKEN: text(
      { about: 'Sent to the webhook as `Authorization: Bearer`.', accepts: 'printable characters without spaces' },
      '^[!-~]+$',
    ),
    SMS_COUNTRIES: list(Type.String({ pattern: '^([1-9][0-9]{0,3}|all)$' }), {
      about: 'The calling codes that SMS are sent to.',
      accepts: 'a list of calling codes, or all',
      shown: 'all; 966 in production',
    }),
    KEYS: text({ about: 'The secrets as JSON, in place of a file.', accepts: 'what npm run keys prints' }),
    KEYS_FILE: text({
      about: 'The file of the secrets, made on the first start outside production.',
      accepts: 'a file that only its owner can read',
      shown: 'keys.json in DATA_DIR; KEYS or KEYS_FILE is required in production',
    }),
    TOKEN_ISSUER: text({ about: 'Who issues the tokens (`iss`).', accepts: 'text', shown: 'tawthiq' }),
    TOKEN_AUDIENCE: text({ about: 'Whom the tokens are for (`aud`).', accepts: 'text', shown: 'tawthiq' }),
    ACCESS_TOKEN_TTL: number(60, 86400, {
      about: 'The life of an access token, in seconds.',
      shown: String(LIMITS.access_token.minutes * 60),
    }),
    BCRYPT_COST: number(10, 15, {
      about: 'The cost of password hashes. Each step doubles the time of a login.',
      shown: '10; 12 in production',
    }),
    PASSWORD_THREADS: number(1, 8, {
      about: 'How many threads hash passwords.',
      shown: 'one less than there are processors',
    }),
    DEFAULT_LANGUAGE: oneOf(['ar', 'en'], {
      about: 'The language of messages when a request asks for neither.',
      shown: 'ar',
    }),
    LOG_LEVEL: oneOf(LOG_LEVELS, { about: 'What is logged. `debug` has a line for each request.', shown: 'info' }),
    CORS_ORIGINS: list(Type.String({ pattern: '^https?://[^/,]+$' }), {
      about: 'The origins whose pages may call the service from a browser.',
      accepts: 'a list of origins such as https://app.example',
      shown: 'none',
    }),
    TRUST_PROXY: list(Type.String({ format: 'network' }), {
      about: 'The proxies whose X-Forwarded-For is believed.',
      accepts: 'a list of addresses or networks such as 10.0.0.0/8',
      shown: 'none',
    }),
  }),
  { additionalProperties: false },
)

export type Environment = Static<typeof Environment>

/** What a variable says of itself. */
export function aboutVariable(name: keyof Environment): About {
  const { about, accepts, shown } = Environment.properties[name] as unknown as About
  return { about, accepts, ...(shown !== undefined && { shown }) }
}

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/')
  const version = isIP(address)
  return version > 0 && more.length === 0 && /^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}
