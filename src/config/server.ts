import { Type } from '@sinclair/typebox'
import { listeningVariables } from './listening.ts'
import { list, oneOf } from './variable-kinds.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Variables of the HTTP server and of the process. */
export const serverVariables = {
  NODE_ENV: oneOf(['development', 'production', 'test'], {
    about: 'Environment. Production requires every dependency to be configured.',
    default: 'development',
  }),
  ...listeningVariables,
  TRUST_PROXY: list(Type.String({ format: 'network' }), {
    about: 'Trusted proxies, whose X-Forwarded-For is read. Required for correct rate limits behind a proxy.',
    accepts: 'a list of IP addresses or networks, such as 10.0.0.0/8',
    shown: 'none',
  }),
  CORS_ORIGINS: list(Type.String({ pattern: '^https?://[^/,]+$' }), {
    about: 'Origins whose pages can call the service from a browser.',
    accepts: 'a list of origins, such as https://app.example',
    shown: 'none; in development, every localhost origin on any port',
  }),
  DEFAULT_LANGUAGE: oneOf(['ar', 'en'], {
    about: 'Language of messages if Accept-Language names neither.',
    default: 'ar',
  }),
  LOG_LEVEL: oneOf(LOG_LEVELS, {
    about: 'Log level. `debug` adds a line for each request, unless ACCESS_LOG is set.',
    default: 'info',
  }),
}
