// Counts what this process sends to PostgreSQL and Redis.
import { Redis } from 'ioredis'
import pg from 'pg'
import { settled } from '../accounts/resets.ts'
import type { World } from './world.ts'

export type Counts = { statements: number; commands: number }

const total: Counts = { statements: 0, commands: 0 }

/** Makes a method count its calls. */
function count(prototype: object, method: string, name: keyof Counts): void {
  const original = Reflect.get(prototype, method) as (...given: unknown[]) => unknown
  Reflect.set(prototype, method, function counted(this: unknown, ...given: unknown[]): unknown {
    if (!isPoll(given[0])) total[name]++
    return original.apply(this, given)
  })
}

/** The dispatcher of e-mails, the refresh of lookups and the records of SMS run every few seconds. Behind a pooler, statements have no names. */
const POLLS = [
  /^\s*UPDATE mail_outbox m SET attempts = /,
  / FROM reference_state s$/,
  / FROM sms_circuits c$/,
  /^\s*WITH recorded AS \(\s*INSERT INTO sms_messages/,
]

function isPoll(given: unknown): boolean {
  const text: unknown = typeof given === 'object' && given !== null && 'text' in given ? given.text : given
  return typeof text === 'string' && POLLS.some((poll) => poll.test(text))
}

count(pg.Client.prototype, 'query', 'statements')
count(Redis.prototype, 'sendCommand', 'commands')

/** Counts SQL statements, with BEGIN and COMMIT, and Redis commands of a request. Work after the response is not started. */
export async function countStatements(world: World, request: () => Promise<unknown>): Promise<Counts> {
  const { context } = world.service.app
  const { background } = context
  await settled(world)
  context.background = { ...background, enqueue: () => undefined }
  const before = { ...total }
  try {
    await request()
    return { statements: total.statements - before.statements, commands: total.commands - before.commands }
  } finally {
    context.background = background
    await context.deliverMails()
  }
}
