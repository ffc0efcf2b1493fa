import { once } from 'node:events'
import { connect } from 'node:tls'

/** The errors of OpenSSL when the other side answers a TLS handshake with something else */
const NOT_TLS = /wrong version number|packet length too long|unknown protocol|record layer failure|tlsv?1? alert/i

/** Returns whether an error says that a server does not speak TLS. */
export function isNotTls(error: unknown): boolean {
  return error instanceof Error && NOT_TLS.test(error.message)
}

/** Returns whether a server begins with TLS. Its certificate does not matter. */
export async function speaksTls({ host, port }: { host: string; port: number }, timeoutMs: number): Promise<boolean> {
  const socket = connect({ host, port, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    return true
  } catch {
    return false
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}
