// A mixed load at a fixed rate: a request does not wait for the responses to earlier ones.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../load/ledger.ts'
import { measureOperation, type Load, type Sample } from '../load/load.ts'
import type { OperationName } from '../load/operations.ts'
import type { Person } from '../load/people.ts'
import type { People } from './people.ts'

/** The operations, with the requests a second of each */
const RATES = {
  getProfile: 10,
  checkToken: 5,
  listLookups: 2,
  patchProfile: 4,
  requestPasswordReset: 3,
  getFile: 2,
  checkPhone: 2,
  login: 1.5,
  uploadPhoto: 1.5,
  register: 0.4,
} satisfies Partial<Record<OperationName, number>>

type Name = keyof typeof RATES
export const OPERATION_NAMES = Object.keys(RATES) as Name[]

type Setting = { origins: readonly string[]; people: People; ledger: Ledger; rate: number }

/** Starts the load. Requests alternate between the instances. */
export function startLoad({ origins, people, ledger, rate }: Setting): Load {
  const samples: Sample[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const choose = chooser(people)
  let turn = 0
  const start = (operation: Name): void => {
    const { person, release } = choose(operation)
    if (!person) return // all are busy
    const origin = origins[turn++ % origins.length] ?? ''
    const work = measureOperation(operation, { origin, person, ledger }).then((sample) => {
      samples.push(sample)
      release()
      running.delete(work)
    })
    running.add(work)
  }
  const repeating = OPERATION_NAMES.map(async (operation) => {
    while (!stopping.signal.aborted) {
      start(operation)
      const pauseMs = 1000 / (RATES[operation] * rate)
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })
  return {
    samples,
    async stop() {
      stopping.abort()
      await Promise.all(repeating)
      await Promise.all(running)
    },
  }
}

type Choice = { person: Person | undefined; release(): void }

/** Gives each write an account that no other one has. There is none while responses are outstanding. */
function chooser({ named, pictured, framed }: People): (operation: Name) => Choice {
  const free: Partial<Record<Name, Person[]>> = { patchProfile: [...named], uploadPhoto: [...pictured] }
  let reader = 0
  return (operation) => {
    const list = free[operation]
    const person = list ? list.shift() : operation === 'getFile' ? framed : named[reader++ % named.length]
    const release = (): void => {
      if (list && person) list.push(person)
    }
    return { person, release }
  }
}
