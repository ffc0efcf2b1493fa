import { Redis } from 'ioredis'
import { freePort, startPart } from '../parts.ts'
import { restartable, type Dependency } from './dependency.ts'

/** Less than an empty server uses, so that every write is rejected */
const FULL_BYTES = '1'
/** Which the service does not know */
const PASSWORD = 'secret'

export async function openRedis(): Promise<Dependency> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const program = await restartable(() => startPart('redis-server', args, port))
  const run = async (...commands: string[]): Promise<void> => {
    const client = new Redis(port, { password: PASSWORD, enableReadyCheck: false })
    client.on('error', () => undefined) // a server without a password says so
    for (const [name = '', ...words] of commands.map((each) => each.split(' '))) await client.call(name, ...words)
    client.disconnect()
  }
  return {
    name: 'Redis',
    variables: { REDIS_URL: `redis://127.0.0.1:${port}` },
    stop: program.stop,
    faults: {
      ...program.faults,
      'read-only': { apply: () => run('REPLICAOF 127.0.0.1 1'), repair: () => run('REPLICAOF NO ONE') },
      full: { apply: () => run(`CONFIG SET maxmemory ${FULL_BYTES}`), repair: () => run('CONFIG SET maxmemory 0') },
      denied: {
        apply: () => run(`CONFIG SET requirepass ${PASSWORD}`, 'CLIENT KILL TYPE normal SKIPME yes'),
        repair: () => run('CONFIG SET requirepass '), // an empty one
      },
    },
  }
}
