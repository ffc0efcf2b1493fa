import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'

/** The errors of OpenSSL when the other side answers a TLS handshake with something else */
const NOT_TLS = /wrong version number|packet length too long|unknown protocol|record layer failure|tlsv?1? alert/i

/** Returns whether an error says that a server does not speak TLS. */
export function isNotTls(error: unknown): boolean {
  return error instanceof Error && NOT_TLS.test(error.message)
}

/** Returns whether a server begins with TLS. Its certificate does not matter. */
export async function speaksTls({ host, port }: { host: string; port: number }, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const raw = connectPlain({ host, port })
    const end = (isTls: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      raw.destroy()
      resolve(isTls)
    }
    const timer = setTimeout(end, timeoutMs, false)
    raw.on('error', () => end(false))
    const socket = connect({ socket: raw, rejectUnauthorized: false })
    socket.on('secureConnect', () => end(true))
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
  })
}
