import { Type } from '@sinclair/typebox'
import { isLoopback } from '../lib/loopback.ts'
import { coverMost, isNetwork } from '../lib/networks.ts'
import { baseAddress, list, number, oneOf, origins, text, webAddress, type Values } from './variable-kinds.ts'

/** Variables of the HTTP server and of the process. */
export const serverVariables = {
  NODE_ENV: oneOf(['development', 'production', 'test'], {
    about:
      'Environment. Production requires every dependency to be configured. Required if a variable of production is set, such as DATABASE_URL or SMTP_URL.',
    default: 'development',
  }),
  HOST: text({
    about: 'Address to listen on. Outside production, only loopback addresses, unless ALLOW_PUBLIC_DEVELOPMENT=yes.',
    accepts: 'an IP address or a host name',
    shown: '127.0.0.1; 0.0.0.0 in production',
  }),
  ALLOW_PUBLIC_DEVELOPMENT: oneOf(['yes'], {
    about:
      'Allows a HOST that other machines can reach outside production. They can then use the demo accounts and read /dev/outbox.',
    shown: 'not allowed',
  }),
  PORT: number(0, 65535, { about: 'Port to listen on. 0 selects a free port.', default: 3000 }),
  SHUTDOWN_DELAY: number(0, 300, {
    about:
      'Seconds from SIGTERM until the service stops listening. Until then, it is not ready and serves all requests.',
    shown: '0; 5 in production',
  }),
  SHUTDOWN_TIMEOUT: number(1, 3600, {
    about: 'Seconds that running requests may take after the service has stopped listening.',
    default: 20,
  }),
  TRUST_PROXY: list(Type.String({ format: 'network' }), {
    about: 'Trusted proxies, whose X-Forwarded-For is read. Required for correct rate limits behind a proxy.',
    accepts: 'a list of IP addresses or networks, such as 10.0.0.0/8',
  }),
  CORS_ORIGINS: origins({
    about: 'Origins whose pages can call the service from a browser.',
    shown: 'none; in development, every localhost origin on any port',
  }),
  PUBLIC_URL: baseAddress({
    about:
      'URL under which clients reach the service, without /api. The document names it as its server. Required for the account pages in production, and for receipts and calls of Twilio.',
    shown:
      'none; the server of the document is the one that serves it, and Twilio sends no receipts and makes no calls',
  }),
  DOCUMENT_CONTACT: text({
    about: 'Contact for consumers of the API, in the document.',
    accepts: 'an http or https URL, or an e-mail address',
    pattern: String.raw`^(https?://[^\s/]\S*|[^\s@:/]+@[^\s@:/]+)$`,
  }),
  DOCUMENT_TERMS: webAddress({ about: 'Terms of service of the API, in the document.' }),
  DEFAULT_LANGUAGE: oneOf(['ar', 'en'], {
    about: 'Language of messages if Accept-Language names neither.',
    default: 'ar',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    about: 'Log level. `debug` adds a line for each request, unless ACCESS_LOG is set.',
    default: 'info',
  }),
}

type Given = Values<typeof serverVariables>

export const serverConfig = (given: Given) =>
  ({
    isProduction: given.NODE_ENV === 'production',
    hasDemoData: given.NODE_ENV === 'development',
    host: given.HOST ?? (given.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT,
    shutdown: {
      /** How long the service is not ready and still serves every request */
      delayMs: (given.SHUTDOWN_DELAY ?? (given.NODE_ENV === 'production' ? 5 : 0)) * 1000,
      /** How long running requests may take after that */
      timeoutMs: given.SHUTDOWN_TIMEOUT * 1000,
    },
    installation: aboutInstallation(given),
    defaultLanguage: given.DEFAULT_LANGUAGE,
    logLevel: given.LOG_LEVEL,
    corsOrigins: given.CORS_ORIGINS ?? [],
    /** Whether pages of every localhost origin can call the service */
    allowsLocalOrigins: given.NODE_ENV === 'development' && given.CORS_ORIGINS === undefined,
    trustedProxies: given.TRUST_PROXY ?? [],
  }) as const

/** Returns what the document says about this installation. */
function aboutInstallation(given: Given): Partial<Record<'url' | 'contact' | 'terms', string | undefined>> {
  const { PUBLIC_URL: url, DOCUMENT_CONTACT: contact, DOCUMENT_TERMS: terms } = given
  return { url: url?.replace(/\/+$/, ''), contact, terms }
}

const PUBLIC_HOST = `is not allowed outside production, because other machines could log in to the demo accounts, whose password is public, and read codes and reset links at /dev/outbox. Unset HOST to listen on 127.0.0.1, or set NODE_ENV=production. In a container or a trusted network, set ALLOW_PUBLIC_DEVELOPMENT=yes, and publish the port on this machine only (docker run -p 127.0.0.1:3000:3000).`

/** Returns the reason why the service must not listen on HOST, or an empty list. */
export function listeningProblems(given: Partial<Given>): string[] {
  const { NODE_ENV, HOST, ALLOW_PUBLIC_DEVELOPMENT } = given
  const hasDevelopmentParts = NODE_ENV === 'development' || NODE_ENV === 'test'
  if (!hasDevelopmentParts || HOST === undefined || isLoopback(HOST) || ALLOW_PUBLIC_DEVELOPMENT === 'yes') return []
  return [`HOST: ${JSON.stringify(HOST)} ${PUBLIC_HOST}`]
}

/** Rejects proxies that are most of the internet: any client could then choose its address, and has no rate limits. */
export function proxyProblems({ TRUST_PROXY: networks = [] }: Partial<Given>): string[] {
  if (!networks.every(isNetwork) || !coverMost(networks)) return []
  return [
    'TRUST_PROXY has more than half of all addresses, so that clients could choose their address in X-Forwarded-For, and with it their rate limits. Set it to the addresses of your proxies.',
  ]
}
