import { Type, type Static, type TObject } from '@sinclair/typebox'
import { BlockList, isIP } from 'node:net'
import { number, oneOf, text } from './variable-kinds.ts'

/** Variables of the listening address. */
export const listeningVariables = {
  HOST: Type.Optional(
    text({
      about: 'Address to listen on. Outside production, only loopback addresses, unless ALLOW_PUBLIC_DEVELOPMENT=yes.',
      accepts: 'an IP address or a host name',
      shown: '127.0.0.1; 0.0.0.0 in production',
    }),
  ),
  ALLOW_PUBLIC_DEVELOPMENT: Type.Optional(
    oneOf(['yes'], {
      about:
        'Allows a HOST that other machines can reach outside production, for example in a container. They can then use the demo accounts and read /dev/outbox.',
      shown: 'not allowed',
    }),
  ),
  PORT: number(0, 65535, { about: 'Port to listen on. 0 selects a free port.', default: 3000 }),
}

type Given = Static<TObject<typeof listeningVariables>>

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

const PUBLIC_HOST = `is not allowed outside production, because other machines could log in to the demo accounts, whose password is public, and read codes and reset links at /dev/outbox. Unset HOST to listen on 127.0.0.1, or set NODE_ENV=production. In a container or a trusted network, set ALLOW_PUBLIC_DEVELOPMENT=yes, and publish the port on this machine only (docker run -p 127.0.0.1:3000:3000).`

/** Returns whether only this machine can connect to a host. The only name that counts as loopback is localhost. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true
  const version = isIP(host)
  if (version === 0 || host.includes('%')) return false // an address with a zone belongs to a network interface
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Returns the reason why the service must not listen on HOST, or an empty list. */
export function listeningProblems(given: Partial<Given> & { NODE_ENV?: string }): string[] {
  const { NODE_ENV, HOST, ALLOW_PUBLIC_DEVELOPMENT } = given
  const hasDevelopmentParts = NODE_ENV === 'development' || NODE_ENV === 'test'
  if (!hasDevelopmentParts || HOST === undefined || isLoopback(HOST) || ALLOW_PUBLIC_DEVELOPMENT === 'yes') return []
  return [`HOST: ${JSON.stringify(HOST)} ${PUBLIC_HOST}`]
}
