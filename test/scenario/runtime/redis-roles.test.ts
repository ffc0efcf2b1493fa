// A Redis server that turns out to be the wrong one, while it still responds, costs its connection.
import { Redis } from 'ioredis'
import { EventEmitter, once } from 'node:events'
import t, { type Test } from 'tap'
import { connectRedis, type RedisConnection } from '../../../src/adapters/limits/redis-client.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { openProxy } from '../../support/servers/proxy.ts'
import { openFakeRedis, openRedisServer, skipWithoutRedis } from '../../support/servers/redis-server.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

const BACK_MS_MAX = 5000

/** What servers and proxies respond to a write, on a connection that stays open. */
const WRONG_SERVERS: Readonly<Record<string, string>> = {
  'Redis 7, a replica': `-READONLY You can't write against a read only replica.`,
  'Redis 7, a replica, to a script': `-READONLY You can't write against a read only replica. script: 3f1c, on @user_script:40.`,
  'Redis 6, a replica, to a script': `-ERR Error running script (call to f_3f1c): @user_script:40: @user_script: 40: -READONLY You can't write against a read only replica.`,
  'Redis 4, a replica': `-READONLY You can't write against a read only slave.`,
  'Redis 7, a replica without its master': `-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.`,
  'Redis 7, a master without its replicas': '-NOREPLICAS Not enough good replicas to write.',
  'Redis 7, a server that loads its data': '-LOADING Redis is loading the dataset in memory',
  'Redis 7, a server whose disk is full':
    '-MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
  'Redis 7, a server without memory': `-OOM command not allowed when used memory > 'maxmemory'.`,
  'Redis 7, a password that was set later': '-NOAUTH Authentication required.',
  'Redis 7, a user that was changed': `-NOPERM User app has no permissions to run the 'set' command`,
  'Valkey 8, a failover in progress': '-REDIRECT 10.0.0.7:6379',
  'Valkey 8, a node of a cluster': '-CLUSTERDOWN The cluster is down',
  'Envoy 1.31, without a server': '-no upstream host',
  'Envoy 1.31, with a broken server': '-upstream failure',
  'twemproxy 0.5, without a server': '-ERR Connection refused',
}

type Connected = { redis: RedisConnection; untilBack: () => Promise<number> }

/** Connects, and returns with the connection how long the recovery from its next outage takes, in milliseconds. */
async function connect(t: Test, port: number): Promise<Connected> {
  const recoveries = new EventEmitter()
  const log = jsonLog('info', { write: (line) => recoveries.emit(line.includes('available again') ? 'back' : 'line') })
  const redis = await connectRedis({ url: `redis://127.0.0.1:${port}` }, { prefix: 'test', log })
  t.teardown(() => redis.close())
  const untilBack = async (): Promise<number> => {
    const startMs = performance.now()
    await once(recoveries, 'back', { signal: AbortSignal.timeout(BACK_MS_MAX) })
    return Math.round(performance.now() - startMs)
  }
  return { redis, untilBack }
}

void t.test('connects again after a response that says that the server is the wrong one', async (t) => {
  const recover = async ([server, words]: [string, string]): Promise<void> => {
    const { port } = await openFakeRedis(t, (connection) => (connection === 1 ? words : '+OK'))
    const { redis, untilBack } = await connect(t, port)
    t.equal(await redis.execute(redis.probe), undefined, server)
    t.ok(await untilBack(), server)
    t.equal(await redis.execute(redis.probe), 'OK', server)
  }
  await Promise.all(Object.entries(WRONG_SERVERS).map(recover))
})

void t.test('keeps its connection if the server does not know a script', async (t) => {
  let connections = 0
  const { port } = await openFakeRedis(t, (connection) => {
    connections = connection
    return '-NOSCRIPT No matching script. Please use EVAL.'
  })
  const { redis } = await connect(t, port)
  await redis.client.evalsha('3f1c', 0).catch(() => undefined)
  t.equal(connections, 1)
  t.equal(redis.client.status, 'ready')
})

void t.test(
  'sends codes again after a failover whose old master stays reachable',
  { skip: skipWithoutRedis },
  async (t) => {
    const [old, next] = [await openRedisServer(t), await openRedisServer(t)]
    const address = { host: '127.0.0.1', port: old }
    const proxy = await openProxy(address)
    const service = await openService({ config: { redisUrl: `redis://127.0.0.1:${proxy.port}` } })
    t.teardown(async () => {
      await service.close()
      proxy.close()
    })
    const world = await openWorld(service)
    const checkPhone = (): Promise<{ status: number }> =>
      world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })
    t.equal((await checkPhone()).status, 200)

    const operator = new Redis(old)
    await operator.replicaof('127.0.0.1', next).finally(() => operator.disconnect())
    address.port = next // new connections lead to the new master, as after a change of DNS, of a virtual address or of a Service
    t.equal((await checkPhone()).status, 503)
    const deadlineMs = Date.now() + BACK_MS_MAX
    let status = 0
    while (status !== 200 && Date.now() < deadlineMs) ({ status } = await checkPhone())
    t.equal(status, 200)
  },
)

void t.test('checks that Redis can be written', { skip: skipWithoutRedis }, async (t) => {
  const [master, replica] = [await openRedisServer(t), await openRedisServer(t)]
  const service = await openService({ config: { redisUrl: `redis://127.0.0.1:${replica}` } })
  t.teardown(() => service.close())
  const health = async (): Promise<string | undefined> =>
    (await service.app.checkHealth()).find(({ name }) => name === 'redis')?.status
  t.equal(await health(), 'ok')
  const operator = new Redis(replica)
  t.teardown(() => operator.disconnect())
  await operator.replicaof('127.0.0.1', master)
  service.moveClock(5000) // a result is shared for a while
  t.equal(await health(), 'degraded')
})

void t.test('recovers from a password that is wrong for a while', { skip: skipWithoutRedis }, async (t) => {
  const port = await openRedisServer(t)
  const { redis, untilBack } = await connect(t, port)
  const operator = new Redis(port)
  t.teardown(() => operator.disconnect())
  await operator.config('SET', 'requirepass', 'other')
  const rejected = once(redis.client, 'error') as Promise<[Error]>
  await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  t.match(await rejected, [/NOAUTH|WRONGPASS/])
  await operator.config('SET', 'requirepass', '')
  t.ok(await untilBack())
})
