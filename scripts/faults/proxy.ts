import { connect, createServer, type Socket } from 'node:net'
import type { Dependency, Fault } from '../load/dependencies/dependency.ts'
import { listenOnFreePort } from '../load/parts.ts'
import type { Session } from '../load/session.ts'

/** Longer than the service waits for a statement, a command or a file. */
const DELAY_MS = 3000

type Mode = 'pass' | 'slow' | 'half'

/**
 * Puts a proxy in front of a dependency, with two more faults: `slow` delays all that the dependency sends, and `half` ends the connection
 * in the middle of each response.
 */
export async function withNetworkFaults(dependency: Dependency, { onEnd }: Session): Promise<Dependency> {
  const variables = JSON.stringify(dependency.variables)
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(variables)?.[1])
  let mode: Mode = 'pass'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [socket, other] of [[client, target] as const, [target, client] as const]) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(target)
    target.on('data', (bytes: Buffer) => {
      if (mode === 'half') client.end(bytes.subarray(0, bytes.length / 2))
      else if (mode === 'slow') setTimeout(() => client.write(bytes), DELAY_MS)
      else client.write(bytes)
    })
  })
  const own = await listenOnFreePort(server)
  onEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const fault = (name: Mode): Fault => ({ apply: () => (mode = name), repair: () => (mode = 'pass') })
  return {
    ...dependency,
    variables: JSON.parse(variables.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${own}`)) as Dependency['variables'],
    faults: { ...dependency.faults, slow: fault('slow'), half: fault('half') },
  }
}
