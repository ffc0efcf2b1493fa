// A webhook receiver.
import { EventEmitter, once } from 'node:events'
import type { Test } from 'tap'
import type { AccountEvent } from '../../../src/domain/event.ts'
import { localServer } from './local-server.ts'
import type { World } from '../service/world.ts'

export type ReceivedEvent = { headers: Record<string, string>; text: string; event: AccountEvent }

export type Receiver = {
  url: string
  /** Returns the received events of an account. */
  receivedFor(accountId: number): ReceivedEvent[]
  /** Sets the response status for the events of an account, 204 by default; null: no response */
  respondTo(accountId: number, status: number | null): void
  /** Waits until a number of events of an account has been received. */
  until(accountId: number, count: number): Promise<ReceivedEvent[]>
}

export const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`

export async function openReceiver(t: Pick<Test, 'teardown'>): Promise<Receiver> {
  const arrivals = new EventEmitter().setMaxListeners(0)
  const statuses = new Map<number, number | null>()
  const received: ReceivedEvent[] = []
  const receivedFor = (accountId: number): ReceivedEvent[] =>
    received.filter(({ event }) => event.data.account_id === accountId)
  const origin = await localServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const event = JSON.parse(text) as AccountEvent
      received.push({ headers: request.headers as Record<string, string>, text, event })
      const status = statuses.get(event.data.account_id) ?? 204
      if (statuses.get(event.data.account_id) !== null) response.writeHead(status, { location: '/elsewhere' }).end()
      arrivals.emit('arrival')
    })
  })
  return {
    url: `${origin}/events`,
    receivedFor,
    respondTo: (accountId, status) => statuses.set(accountId, status),
    async until(accountId, count) {
      while (receivedFor(accountId).length < count) await once(arrivals, 'arrival')
      return receivedFor(accountId)
    },
  }
}

/** Returns the events that adminListEvents lists, newest first. */
export async function eventsIn(world: World, token: string, query: Record<string, string | number>): Promise<Listed[]> {
  return (await world.send('adminListEvents')({ token, query })).body.data.items as Listed[]
}

export type Listed = {
  id: string
  state: string
  event: AccountEvent
  attempts: number
  next_attempt_at: string | null
}
