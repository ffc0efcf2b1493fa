import { Type, type Static } from '@sinclair/typebox'
import { LIMITS } from '../../generated/limits.ts'
import { eventsVariables } from './events.ts'
import { filesVariables } from './files.ts'
import { insecureUrlVariables } from './insecure-urls.ts'
import { listeningVariables } from './listening.ts'
import { mailVariables } from './mail.ts'
import { smsVariables } from './sms.ts'
import { list, number, oneOf, text, url, webAddress, type About } from './variable-kinds.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every environment variable that the service reads. Lists are separated by commas. */
export const Environment = Type.Object(
  {
    NODE_ENV: oneOf(['development', 'production', 'test'], {
      about: 'In production nothing falls back silently, and there is no demo data.',
      default: 'development',
    }),
    ...listeningVariables,
    DATA_DIR: text({
      about: 'Where the embedded database and the keys are kept.',
      accepts: 'a folder',
      default: './data',
    }),
    DATABASE_URL: Type.Optional(
      url('postgres|postgresql', {
        about: 'The PostgreSQL server. Without it the embedded database is used. Required in production.',
        accepts: 'postgresql://user:password@host:port/database',
      }),
    ),
    DATABASE_CONNECTIONS: number(1, 500, {
      about: 'How many connections to the server one instance may open.',
      default: 10,
    }),
    REDIS_URL: Type.Optional(
      url('redis|rediss', {
        about: 'The Redis or Valkey server that instances share their limits by. Required in production.',
        accepts: 'redis://host:port or rediss://host:port',
      }),
    ),
    REDIS_PREFIX: text(
      { about: 'What the keys in Redis begin with.', accepts: 'letters, digits and . : _ -', default: 'tawthiq' },
      '^[A-Za-z0-9.:_-]{1,64}$',
    ),
    ...smsVariables,
    ...mailVariables,
    ...eventsVariables,
    ...filesVariables,
    ...insecureUrlVariables,
    KEYS: Type.Optional(
      text({ about: 'The secrets as JSON, in place of a file.', accepts: 'what npm run keys prints' }),
    ),
    KEYS_FILE: Type.Optional(
      text({
        about: 'The file of the secrets, made on the first start outside production.',
        accepts: 'a file that only its owner can read',
        shown: 'keys.json in DATA_DIR; KEYS or KEYS_FILE is required in production',
      }),
    ),
    TOKEN_ISSUER: text({ about: 'Who issues the tokens (`iss`).', accepts: 'text', default: 'tawthiq' }),
    TOKEN_AUDIENCE: text({ about: 'Whom the tokens are for (`aud`).', accepts: 'text', default: 'tawthiq' }),
    ACCESS_TOKEN_TTL: number(60, 86400, {
      about: 'The life of an access token, in seconds.',
      default: LIMITS.access_token.minutes * 60,
    }),
    RECENT_PROOF_SECONDS: number(60, 86400, {
      about:
        'For how many seconds a login or a confirmed password allows operations that require recent authentication.',
      default: LIMITS.recent_authentication.seconds,
    }),
    BCRYPT_COST: Type.Optional(
      number(10, 15, {
        about:
          'The cost of password hashes; each step doubles the time. Lowered, it lets old accounts be told by the time.',
        shown: '10; 12 in production',
      }),
    ),
    PASSWORD_THREADS: Type.Optional(
      number(1, 8, {
        about: 'How many threads hash passwords.',
        shown: 'one less than there are processors',
      }),
    ),
    PASSWORD_BREACH_URL: Type.Optional(
      webAddress({
        about:
          'Where new passwords are looked up in data breaches: the range API of Have I Been Pwned, which gets the first 5 digits of a hash. When it cannot be reached, passwords are accepted, and the log says so.',
        shown: 'none; https://api.pwnedpasswords.com/range is the public one',
      }),
    ),
    NATIONAL_ID_CHECK: oneOf(['flag', 'strict'], {
      about:
        'What happens with a national ID whose form or check digit is wrong: `flag` shows it to reviewers, `strict` also refuses it in updates of profiles.',
      default: 'flag',
    }),
    DEFAULT_LANGUAGE: oneOf(['ar', 'en'], {
      about: 'The language of messages when a request asks for neither.',
      default: 'ar',
    }),
    LOG_LEVEL: oneOf(LOG_LEVELS, { about: 'What is logged. `debug` has a line for each request.', default: 'info' }),
    AUDIT_RETENTION_DAYS: number(30, 3650, { about: 'How many days audit events are kept.', default: 365 }),
    CORS_ORIGINS: Type.Optional(
      list(Type.String({ pattern: '^https?://[^/,]+$' }), {
        about: 'Origins whose pages may call the service from a browser.',
        accepts: 'a list of origins such as https://app.example',
        shown: 'none; in development every localhost origin, on any port',
      }),
    ),
    TRUST_PROXY: Type.Optional(
      list(Type.String({ format: 'network' }), {
        about: 'The proxies whose X-Forwarded-For is believed.',
        accepts: 'a list of addresses or networks such as 10.0.0.0/8',
        shown: 'none',
      }),
    ),
  },
  { additionalProperties: false },
)

export type Environment = Static<typeof Environment>

/** What a variable says of itself. */
export function aboutVariable(name: keyof Environment): Pick<About, 'about' | 'accepts' | 'shown'> {
  const schema: About<string | number> = Environment.properties[name] as unknown as About // every kind is made of one
  const shown = schema.shown ?? schema.default?.toString()
  return { about: schema.about, accepts: schema.accepts, ...(shown !== undefined && { shown }) }
}
