import { Type, type Static, type TObject } from '@sinclair/typebox'
import { BlockList, isIP } from 'node:net'
import { number, oneOf, text } from './variable-kinds.ts'

/** Where the service listens, in the environment. */
export const listeningVariables = {
  HOST: Type.Optional(
    text({
      about: 'The address to listen on. Outside production a loopback address, unless ALLOW_PUBLIC_DEVELOPMENT=yes.',
      accepts: 'an address or a host name',
      shown: '127.0.0.1; 0.0.0.0 in production',
    }),
  ),
  ALLOW_PUBLIC_DEVELOPMENT: Type.Optional(
    oneOf(['yes'], {
      about: 'Lets other machines reach the demo accounts and /dev/outbox, as is needed in a container.',
    }),
  ),
  PORT: number(0, 65535, { about: 'The port to listen on; 0 takes a free one.', default: 3000 }),
}

type Given = Static<TObject<typeof listeningVariables>>

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

const PUBLIC_HOST = `is not accepted outside production. Other machines could log in to the demo accounts, whose password is published, and read codes and reset links at /dev/outbox. Leave HOST out to listen on 127.0.0.1, or set NODE_ENV=production. In a container, or in a network that you trust, set ALLOW_PUBLIC_DEVELOPMENT=yes, and publish the port of the container on this machine only (docker run -p 127.0.0.1:3000:3000).`

/** Whether only this machine can reach what listens on a host. Of names, only localhost is known to be such a host. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const version = isIP(host)
  if (version === 0 || host.includes('%')) return false // a zone makes it the address of a network
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Explains why the service must not listen where it was told to; empty if it may. */
export function listeningProblems(given: Partial<Given> & { NODE_ENV?: string }): string[] {
  const { NODE_ENV, HOST, ALLOW_PUBLIC_DEVELOPMENT } = given
  const hasDevelopmentParts = NODE_ENV === 'development' || NODE_ENV === 'test'
  if (!hasDevelopmentParts || HOST === undefined || isLoopback(HOST) || ALLOW_PUBLIC_DEVELOPMENT === 'yes') return []
  return [`HOST: ${JSON.stringify(HOST)} ${PUBLIC_HOST}`]
}
