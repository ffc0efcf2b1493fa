// Counts what a request sends to PostgreSQL and Redis. Work of the same process that no request has started does not
// count, such as the polls of dispatchers and the maintenance that runs once a minute has passed.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { Redis } from 'ioredis'
import pg from 'pg'
import { settled } from '../accounts/resets.ts'
import type { World } from './world.ts'

const TEXT_LENGTH = 60

type Connected = (...given: unknown[]) => void

export type Counts = { statements: number; commands: number }
/** With the beginning of each statement, for the message of a failure */
export type Counted = Counts & { texts: string[] }

/** The counts of the request that the current work belongs to */
const counting = new AsyncLocalStorage<Counted>()

/** Makes a method count its calls. */
function count(prototype: object, method: string, name: keyof Counts): void {
  const original = Reflect.get(prototype, method) as (...given: unknown[]) => unknown
  Reflect.set(prototype, method, function counted(this: unknown, ...given: unknown[]): unknown {
    const counts = counting.getStore()
    if (counts) counts[name]++
    if (name === 'statements') counts?.texts.push(beginningOf(given[0]))
    return original.apply(this, given)
  })
}

function beginningOf(statement: unknown): string {
  const { name, text } = typeof statement === 'string' ? { name: statement } : (statement as pg.QueryConfig)
  return (name ?? text ?? '').slice(0, TEXT_LENGTH)
}

count(pg.Client.prototype, 'query', 'statements')
count(Redis.prototype, 'sendCommand', 'commands')

// A statement that waits for a connection belongs to the work that asked for one, not to the work that releases it.
const { connect } = pg.Pool.prototype as { connect(callback?: Connected): unknown }
Reflect.set(pg.Pool.prototype, 'connect', function bound(this: pg.Pool, callback?: Connected): unknown {
  return connect.call(this, callback && AsyncResource.bind(callback))
})

/** Counts SQL statements, with BEGIN and COMMIT, and Redis commands of a request. Work after the response is not started. */
export async function countStatements(world: World, request: () => Promise<unknown>): Promise<Counted> {
  const { context, server, deliverMails } = world.service.app
  const { background } = context
  await settled(world)
  context.background = { ...background, enqueue: () => undefined }
  const counts = { statements: 0, commands: 0, texts: [] }
  const restore = countRequests(server.server, counts)
  try {
    await request()
    return { ...counts }
  } finally {
    restore()
    context.background = background
    await deliverMails()
  }
}

/** Counts the requests that a server receives from now on. Returns a function that ends this. */
function countRequests(server: EventEmitter, counts: Counted): () => void {
  const emit = server.emit.bind(server)
  server.emit = (name, ...given: unknown[]) => {
    if (name !== 'request') return emit(name, ...given)
    countEvents(given[0] as EventEmitter, counts) // the request
    return counting.run(counts, () => emit(name, ...given))
  }
  return () => Reflect.deleteProperty(server, 'emit')
}

/** Counts what the events of a request cause. Its body arrives later, in events of the connection. */
function countEvents(request: EventEmitter, counts: Counted): void {
  const emit = request.emit.bind(request)
  request.emit = (name, ...given: unknown[]) => counting.run(counts, () => emit(name, ...given))
}
