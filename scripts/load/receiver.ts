import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { at127 } from './service.ts'
import type { Session } from './session.ts'

/** Starts a server that accepts traces, events or messages and discards them. Returns its origin. */
export async function openReceiver({ onEnd }: Pick<Session, 'onEnd'>): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onEnd(() => server.close().closeAllConnections())
  return at127((server.address() as AddressInfo).port)
}
