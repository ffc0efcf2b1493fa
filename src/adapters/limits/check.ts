import { once } from 'node:events'
import { connect } from 'node:net'
import { down, wrong, type Finding } from '../../lib/startup-error.ts'
import { parseRedisUrl } from '../../lib/redis-url.ts'
import { speaksTls } from '../resilience/speaks-tls.ts'
import { CONNECT_MS_MAX, createClient, untilReady, type RedisClient, type RedisServer } from './redis-client.ts'

const ERRORS = {
  credentials: /WRONGPASS|NOAUTH|invalid password|invalid username-password/i,
  permissions: /NOPERM/i,
  readOnly: /READONLY/i,
  noCluster: /cluster support disabled/i,
  moved: /\b(MOVED|CROSSSLOT)\b|same slot/i,
  noMaster: /No such master/i,
  noDatabase: /DB index is out of range|invalid DB index/i,
}

/** Does what the scripts of the counters do. On a node of a cluster, the keys of a single server are in different slots. */
const PROBE = `
  redis.call('TIME')
  for _, key in ipairs(KEYS) do
    redis.call('HMGET', key, 'failures')
    redis.call('HSET', key, 'failures', 0)
    redis.call('PEXPIRE', key, 1000)
    redis.call('DEL', key)
  end`

/** Returns why Redis cannot be used as it is configured; undefined if it can. */
export async function checkRedis(server: RedisServer, prefix: string): Promise<Finding | undefined> {
  const errors: Error[] = []
  const client = createClient(server).on('error', (error: Error) => errors.push(error))
  try {
    await untilReady(client)
    const start = server.url.includes('+cluster:') ? `{${prefix}}` : prefix
    await client.eval(PROBE, 2, `${start}:probe:1`, `${start}:probe:2`)
    const isUnknown = errors.some((error) => ERRORS.noDatabase.test(describe(error))) // commands would use database 0
    return isUnknown ? await explain(server, errors) : await checkEviction(client)
  } catch (error) {
    return await explain(server, [...errors, error])
  } finally {
    client.disconnect()
  }
}

async function explain(server: RedisServer, errors: readonly unknown[]): Promise<Finding> {
  const text = [...new Set(errors.map(describe))].join(' ')
  if (ERRORS.credentials.test(text)) return wrong('REDIS_URL: Redis rejects the user or the password.')
  if (ERRORS.permissions.test(text)) {
    return wrong(`REDIS_URL: the Redis user lacks a right: ${text}. See docs/operate.md#redis.`)
  }
  if (ERRORS.noCluster.test(text)) return wrong('REDIS_URL names a cluster, but the server is not part of one.')
  if (ERRORS.noMaster.test(text)) return wrong('REDIS_URL: the sentinels do not know a master of this name.')
  if (ERRORS.noDatabase.test(text)) {
    return wrong(
      'REDIS_URL: the server does not have this database. Change the number at the end, which is 0 by default.',
    )
  }
  if (ERRORS.moved.test(text)) return wrong('REDIS_URL leads to a node of a cluster. Begin it with redis+cluster.')
  if (ERRORS.readOnly.test(text)) return down('REDIS_URL leads to a replica, which cannot be written.')
  const mismatch = await findTlsMismatch(server)
  return mismatch ?? down(`Redis cannot be used now: ${text}. Check REDIS_URL.`)
}

/** An evicted counter lets an attacker begin again. */
async function checkEviction(redis: RedisClient): Promise<Finding | undefined> {
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory')) ?? []
  if (policy === 'noeviction') return undefined
  return down(
    `Redis has maxmemory-policy ${policy}, which removes counters of rate limits when the memory is full. Set it to noeviction.`,
  )
}

/** Tries the other protocol: a server that expects TLS closes the connection, and one that does not waits for more. */
async function findTlsMismatch({ url }: RedisServer): Promise<Finding | undefined> {
  const parsed = parseRedisUrl(url)
  const [first] = parsed?.hosts ?? []
  if (!parsed || !first) return undefined
  if (parsed.isTls) {
    return (await speaksPlainly(first))
      ? wrong('REDIS_URL begins with rediss, but the server does not speak TLS. Begin it with redis.')
      : undefined
  }
  return (await speaksTls(first, CONNECT_MS_MAX))
    ? wrong('REDIS_URL begins with redis, but the server speaks TLS. Begin it with rediss.')
    : undefined
}

/** Returns whether a server responds to a command of Redis without TLS, with a result or an error. */
async function speaksPlainly(server: { host: string; port: number }): Promise<boolean> {
  const socket = connect(server)
  const signal = AbortSignal.timeout(CONNECT_MS_MAX)
  try {
    socket.write('PING\r\n')
    const [bytes] = (await once(socket, 'data', { signal })) as [Buffer]
    return /^[+-]/.test(bytes.toString('latin1'))
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** The cause of a cluster's error is the last error of one of its nodes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError') return `no connection within ${CONNECT_MS_MAX} ms`
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return lastNodeError === undefined ? error.message : `${error.message} ${describe(lastNodeError)}`
}
