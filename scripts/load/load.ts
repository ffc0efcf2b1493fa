import { setTimeout as sleep } from 'node:timers/promises'
import { newLedger, OPERATIONS, SUCCESSES, type Call, type Ledger, type OperationName } from './operations.ts'
import { repeat } from './parts.ts'
import type { Person } from './requests.ts'
import { send } from './send.ts'

/** The outcome of a request. The status is 0 if there was no response. */
export type Sample = { operation: OperationName; startMs: number; ms: number; status: number; code: string }

export type Load = {
  samples: Sample[]
  /** Stops sending, and waits for the responses. */
  stop(): Promise<unknown>
}

const TRIES_MAX = 5

type Via = Parameters<typeof send>[2]

/** Runs an operation, and returns its outcome, with the time of its last request. */
export async function measureOperation(
  operation: OperationName,
  { origin, person, ledger = newLedger(), via }: { origin: string; person: Person; ledger?: Ledger; via?: Via },
): Promise<Sample> {
  let startMs = performance.now()
  const call: Call = (sent) => {
    startMs = performance.now() // without the time that it took to make what is sent
    return send(origin, sent, via)
  }
  const { status, code } = await OPERATIONS[operation](call, person, ledger).catch((error: unknown) => {
    const { code, message } = error as { code?: string; message: string }
    return { status: 0, code: code ?? message }
  })
  return { operation, startMs, ms: performance.now() - startMs, status, code }
}

type Clients = {
  origin: string
  people: readonly Person[]
  /** Returns the operation of a turn of a client. */
  next(client: number, turn: number): OperationName
  pauseMs?: number
  via?: Via
}

/** Starts clients, each of which is a person and sends one request after the other. */
export function startClients({ origin, people, next, pauseMs, via }: Clients): Load {
  const samples: Sample[] = []
  const works = people.map((person, client) => {
    let turn = 0
    return async (): Promise<void> => {
      const operation = next(client, turn++)
      const measure = (): Promise<Sample> => measureOperation(operation, { origin, person, via })
      let sample = await measure()
      // The check of a password has a deadline, which a busy machine exceeds.
      for (let tries = 1; sample.operation === 'register' && sample.code === 'overloaded' && tries < TRIES_MAX; tries++)
        sample = await measure()
      samples.push(sample)
      if (pauseMs) await sleep(pauseMs)
    }
  })
  return { samples, stop: repeat(...works) }
}

export function isSuccess({ operation, status }: Sample): boolean {
  return status === (SUCCESSES[operation] ?? 200)
}

/** Counts requests, and the failed ones by operation, status and error code. */
export function describeSamples(samples: readonly Sample[]): string {
  const reasons = failuresOf(samples)
  return [`${samples.length} requests, ${reasons.length} failed`, ...countTexts(reasons)].join('\n')
}

/** Returns the operation, status and error code of each failed request. */
export function failuresOf(samples: readonly Sample[]): string[] {
  const failed = samples.filter((sample) => !isSuccess(sample))
  return failed.map(({ operation, status, code }) => `${operation}: ${status || 'no response'} ${code}`)
}

/** Returns a line for each text, with its number, the most frequent one first. */
export function countTexts(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([text, count]) => `  ${count} × ${text}`)
}
