import { setTimeout as sleep } from 'node:timers/promises'
import { OPERATION_NAMES, openPerson, runOperation } from './operations.ts'
import { readSlowly, writeSlowly } from './slow.ts'

export type Load = {
  sent(): number
  failures: readonly string[]
  /** Waits until a number of requests has been sent. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

const CLIENTS = 4
const PAUSE_MS = 15

/** Sends all operations, each client for an account of its own, and beside them requests that take 12 s. */
export async function startLoad(origin: string): Promise<Load> {
  const failures: string[] = []
  let sent = 0
  let isStopped = false

  const people = await Promise.all(Array.from({ length: CLIENTS }, () => openPerson(origin)))
  const clients = people.map(async (person, at) => {
    const first = Math.round((at * OPERATION_NAMES.length) / CLIENTS)
    const ordered = [...OPERATION_NAMES.slice(first), ...OPERATION_NAMES.slice(0, first)]
    while (!isStopped) {
      for (const name of ordered) {
        const failure = await runOperation(name, origin, person)
        sent++
        if (failure !== undefined) failures.push(failure)
        await sleep(PAUSE_MS)
      }
    }
  })
  const slow = Object.entries({ writeSlowly, readSlowly }).map(async ([name, run]) => {
    while (!isStopped) {
      const status = await run(origin).catch(String)
      sent++
      if (status !== 200) failures.push(`${name}: ${status}`)
    }
  })
  return {
    sent: () => sent,
    failures,
    async until(count) {
      while (sent < count) await sleep(100)
    },
    async stop() {
      isStopped = true
      await Promise.all([...clients, ...slow])
    },
  }
}
