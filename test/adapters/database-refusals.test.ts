// A server that wants credentials that the client does not have. It waits for them, so the client must end the connection: many of these
// use up the connections of the server, also for others.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { openPool } from '../../src/database/connection/index.ts'

const SASL = 10
const SASL_CONTINUE = 11

/** Returns a request for authentication (PostgreSQL protocol, section 53.7). */
function authentication(type: number, text: string): Buffer {
  const message = Buffer.alloc(9 + text.length)
  message.write('R')
  message.writeInt32BE(8 + text.length, 1)
  message.writeInt32BE(type, 5)
  message.write(text, 9)
  return message
}

for (const [title, mechanism, credentials] of [
  ['a password', 'SCRAM-SHA-256', 'user'],
  ['another mechanism', 'OAUTHBEARER', 'user:secret'],
] as const) {
  void t.test(`ends the connection to a server that wants ${title}`, async (t) => {
    const ended: Promise<unknown>[] = []
    const server = createServer((socket) => {
      ended.push(
        once(
          socket.on('error', () => undefined),
          'close',
        ),
      )
      socket.once('data', () => {
        socket.write(authentication(SASL, `${mechanism}\0\0`))
        socket.on('data', (bytes) => {
          const nonce = /r=([^,]+)$/.exec(bytes.toString())?.[1]
          if (nonce) socket.write(authentication(SASL_CONTINUE, `r=${nonce}x,s=c2FsdA==,i=4096`))
        })
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    const pool = openPool({ url: `postgresql://${credentials}@127.0.0.1:${port}/app`, connectionsMax: 2 }, pg.types)
    t.teardown(() => pool.end())
    await t.rejects(pool.query('SELECT 1'), /SASL/)
    await Promise.all(ended)
    t.equal(ended.length, 1)
  })
}
