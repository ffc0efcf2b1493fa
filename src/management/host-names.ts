import { isIP } from 'node:net'

/** Suffixes of names that cannot be registered in the public DNS (RFC 6761, RFC 6762, RFC 9476, and Kubernetes) */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.svc']

/**
 * Returns a check of the `Host` of a request. A web page can make its own name resolve to this server and then read what it
 * returns (DNS rebinding), so names of the public DNS are rejected unless they are configured.
 */
export function hostNameCheck(configured: readonly string[]): (host: string | undefined) => boolean {
  const allowed = new Set(configured.map((name) => name.toLowerCase()))
  return (host) => {
    if (host === undefined) return true // HTTP/1.0, which no browser sends
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
    const isPrivate = !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix))
    return isPrivate || isIP(name) > 0 || allowed.has(name)
  }
}
