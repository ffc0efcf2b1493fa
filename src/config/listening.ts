import { isLoopback } from '../lib/loopback.ts'
import { number, oneOf, text, type Values } from './variable-kinds.ts'

/** Variables of the listening address. */
export const listeningVariables = {
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
}

type Given = Values<typeof listeningVariables>

export type ShutdownConfig = Readonly<{
  /** How long the service is not ready and still serves every request */
  delayMs: number
  /** How long running requests may take after that */
  timeoutMs: number
}>

const PRODUCTION_DELAY_SECONDS = 5

export function parseShutdownConfig(given: Given & { NODE_ENV: string }): ShutdownConfig {
  const { NODE_ENV, SHUTDOWN_DELAY, SHUTDOWN_TIMEOUT } = given
  const delaySeconds = SHUTDOWN_DELAY ?? (NODE_ENV === 'production' ? PRODUCTION_DELAY_SECONDS : 0)
  return { delayMs: delaySeconds * 1000, timeoutMs: SHUTDOWN_TIMEOUT * 1000 }
}

const PUBLIC_HOST = `is not allowed outside production, because other machines could log in to the demo accounts, whose password is public, and read codes and reset links at /dev/outbox. Unset HOST to listen on 127.0.0.1, or set NODE_ENV=production. In a container or a trusted network, set ALLOW_PUBLIC_DEVELOPMENT=yes, and publish the port on this machine only (docker run -p 127.0.0.1:3000:3000).`

/** Returns the reason why the service must not listen on HOST, or an empty list. */
export function listeningProblems(given: Partial<Given> & { NODE_ENV?: string }): string[] {
  const { NODE_ENV, HOST, ALLOW_PUBLIC_DEVELOPMENT } = given
  const hasDevelopmentParts = NODE_ENV === 'development' || NODE_ENV === 'test'
  if (!hasDevelopmentParts || HOST === undefined || isLoopback(HOST) || ALLOW_PUBLIC_DEVELOPMENT === 'yes') return []
  return [`HOST: ${JSON.stringify(HOST)} ${PUBLIC_HOST}`]
}
