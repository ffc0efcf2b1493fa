import type pg from 'pg'
import type { Metrics } from '../../lib/metrics.ts'
import type { Observers } from '../../lib/observers.ts'
import type { SpanOptions, Tracer } from '../../lib/tracing.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void

const tracers = new WeakMap<pg.Pool, Tracer>()

/** Returns the tracer of a pool; undefined if it is not traced. */
export function findTracer(pool: pg.Pool): Tracer | undefined {
  return tracers.get(pool)
}

/** Measures and traces the use of a pool, until the function that it returns is called. */
export function observePool(pool: pg.Pool, { metrics, tracer }: Observers): () => void {
  if (!metrics && !tracer) return () => undefined
  if (metrics) measure(pool, metrics)
  if (tracer) trace(pool, tracer)
  return () => {
    for (const method of ['connect', 'query']) Reflect.deleteProperty(pool, method) // those of its class remain
    tracers.delete(pool)
  }
}

function measure(pool: pg.Pool, metrics: Metrics): void {
  metrics.watch('db_client_connections', () => [
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
  ])
  metrics.watch('db_client_connection_max', () => [{ labels: {}, value: pool.options.max }])
  metrics.watch('db_client_connection_pending_requests', () => [{ labels: {}, value: pool.waitingCount }])
  const waited = metrics.duration('db_client_connection_wait_time_seconds', {})
  const connect = pool.connect.bind(pool) as (connected?: Connected) => Promise<pg.PoolClient> | undefined
  const measured: typeof connect = (connected) => {
    if (pool.idleCount > pool.waitingCount) return connect(connected)
    const startMs = performance.now()
    const end = (): void => waited((performance.now() - startMs) / 1000)
    if (!connected) return connect()?.finally(end)
    return connect((...given) => {
      end()
      connected(...given)
    })
  }
  pool.connect = measured as typeof pool.connect
}

/**
 * Traces the statements that return a promise. The pool itself and batched reads use callbacks: a statement of the pool is
 * traced once, and a batch is traced for each of its reads.
 */
function trace(pool: pg.Pool, tracer: Tracer): void {
  tracers.set(pool, tracer)
  pool.query = traced(pool, pool.query.bind(pool), tracer)
  const connect = pool.connect.bind(pool) as (connected?: Connected) => Promise<pg.PoolClient> | undefined
  const connectTraced: typeof connect = (connected) => {
    if (connected) return connect(connected)
    return connect()?.then((client) => {
      const { query } = client
      client.query = traced(client, query.bind(client), tracer)
      const release = client.release.bind(client)
      client.release = (broken) => {
        client.query = query // the next user of the connection may be the pool
        release(broken)
      }
      return client
    })
  }
  pool.connect = connectTraced as typeof pool.connect
}

function traced<Query extends pg.Pool['query'] | pg.PoolClient['query']>(
  owner: pg.Pool | pg.PoolClient,
  query: Query,
  tracer: Tracer,
): Query {
  const run = query as (...given: unknown[]) => Promise<unknown>
  const tracing = (...given: unknown[]): unknown => {
    if (typeof given.at(-1) === 'function') return run.apply(owner, given)
    const { name, options } = statementSpan(given[0])
    return tracer.trace(name, options, () => run.apply(owner, given))
  }
  return tracing as Query
}

type Statement = Readonly<{ text?: string; name?: string }>

/** A name that is only a hash of the statement */
const HASH = /^p[\da-f]{24}$/

/** Describes a statement by the semantic conventions of OpenTelemetry. Its text has placeholders instead of values. */
export function statementSpan(given: unknown): { name: string; options: SpanOptions } {
  const { text = '', name }: Statement = typeof given === 'string' ? { text: given } : (given as Statement)
  const [operation = ''] = /\w+/.exec(text) ?? []
  const summary = [operation.toUpperCase(), ...(name === undefined || HASH.test(name) ? [] : [name])].join(' ')
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation.toUpperCase(),
    'db.query.summary': summary,
    'db.query.text': text.replaceAll(/\s+/g, ' ').trim(),
  }
  return { name: summary, options: { attributes } }
}
