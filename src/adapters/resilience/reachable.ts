import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'smtp:': 587, 'smtps:': 465 }
const TLS = ['https:', 'smtps:']

/**
 * Connects to the server of a URL, with TLS where the URL has it, and sends nothing. Returns its host and port.
 *
 * @throws Error if the server cannot be reached, or its certificate is not trusted
 */
export async function reach(url: string, signal: AbortSignal): Promise<string> {
  const { protocol, hostname, port: given } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = given === '' ? (PORTS[protocol] ?? 0) : Number(given)
  const isTls = TLS.includes(protocol)
  const socket = isTls
    ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    : connect({ host, port })
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal })
    return `${hostname}:${port}`
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}
