// Redis servers of their own for tests that change the role or the settings of one.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { freePort } from '../../../scripts/load/parts.ts'

const hasRedis = spawnSync('redis-server', ['--version']).error === undefined

/** Set without the program: a reason to skip tests that need it */
export const skipWithoutRedis = !hasRedis && 'needs redis-server'

/** Starts a Redis server that stores nothing on the disk. Returns its port. */
export async function openRedisServer(t: Test, ...settings: string[]): Promise<number> {
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...settings]
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
  })
  let output = ''
  for await (const bytes of server.stdout) if ((output += String(bytes)).includes('Ready to accept connections')) break
  return port
}

/**
 * Starts a server that speaks so much of the protocol of Redis that clients connect to it. It responds to each other command
 * with what `respond` returns for the number of the connection, which begins at 1.
 */
export async function openFakeRedis(t: Test, respond: (connection: number) => string): Promise<{ port: number }> {
  let connections = 0
  const server = createServer((socket) => {
    const connection = ++connections
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      for (const [, name = ''] of bytes.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(`${HANDSHAKE[name.toLowerCase()] ?? respond(connection)}\r\n`)
    })
    t.teardown(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port }
}

const HANDSHAKE: Readonly<Record<string, string>> = {
  hello: '%1\r\n$5\r\nproto\r\n:3',
  info: '$9\r\nloading:0',
  client: '+OK',
}
