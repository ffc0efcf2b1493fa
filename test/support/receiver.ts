// A system of somebody else's that is told of events.
import { EventEmitter, once } from 'node:events'
import type { Test } from 'tap'
import type { AccountEvent } from '../../src/domain/event.ts'
import { localServer } from './local-server.ts'
import type { World } from './world.ts'

export type Taken = { headers: Record<string, string>; text: string; event: AccountEvent }

export type Receiver = {
  url: string
  /** What it was told of an account */
  toldOf(accountId: number): Taken[]
  /** What it answers to events of an account from now on, in place of 204; null: nothing */
  answerTo(accountId: number, status: number | null): void
  /** Waits until it was told so much of an account, which may have been before. */
  until(accountId: number, count: number): Promise<Taken[]>
}

export const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`

export async function openReceiver(t: Pick<Test, 'teardown'>): Promise<Receiver> {
  const arrivals = new EventEmitter().setMaxListeners(0)
  const answers = new Map<number, number | null>()
  const taken: Taken[] = []
  const toldOf = (accountId: number): Taken[] => taken.filter(({ event }) => event.data.account_id === accountId)
  const origin = await localServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const event = JSON.parse(text) as AccountEvent
      taken.push({ headers: request.headers as Record<string, string>, text, event })
      const status = answers.get(event.data.account_id) ?? 204
      if (answers.get(event.data.account_id) !== null) response.writeHead(status, { location: '/elsewhere' }).end()
      arrivals.emit('arrival')
    })
  })
  return {
    url: `${origin}/events`,
    toldOf,
    answerTo: (accountId, status) => answers.set(accountId, status),
    async until(accountId, count) {
      while (toldOf(accountId).length < count) await once(arrivals, 'arrival')
      return toldOf(accountId)
    },
  }
}

/** The events as administrators see them, the newest first */
export async function eventsIn(world: World, token: string, query: Record<string, string | number>): Promise<Listed[]> {
  return (await world.send('adminListEvents')({ token, query })).body.data.events as Listed[]
}

export type Listed = {
  id: string
  state: string
  event: AccountEvent
  attempts: number
  next_attempt_at: string | null
}
