import { setTimeout as sleep } from 'node:timers/promises'
import { toFailure } from '../outages.ts'
import { Failure } from '../../domain/failure.ts'

/** How long a server may take until it accepts connections */
export type Wait = Readonly<{ seconds: number; report(line: string): void }>

const NO_WAIT: Wait = { seconds: 0, report: () => undefined }
const PAUSE_MS = 500
/** SQLSTATEs of a server that accepts connections, but not these: a rejected login, an unknown database */
const REJECTED = /^(28...|3D000)$/

/**
 * Repeats an attempt while the server accepts no connections, for example because both start at the same time.
 *
 * @throws the error of the last attempt, or at once if waiting does not help
 */
export async function waitForServer<Result>(
  attempt: () => Promise<Result>,
  { seconds, report }: Wait = NO_WAIT,
): Promise<Result> {
  const startMs = performance.now()
  const waitedSeconds = (): number => (performance.now() - startMs) / 1000
  for (let isFirst = true; ; isFirst = false) {
    try {
      const result = await attempt()
      if (!isFirst) report(`the database accepts connections, after ${waitedSeconds().toFixed(1)} s`)
      return result
    } catch (error) {
      if (!isStarting(error) || seconds === 0) throw error
      const reason = describeError(error)
      if (waitedSeconds() >= seconds) throw new Error(`${reason}, also after ${seconds} s`, { cause: error })
      if (isFirst) report(`the database accepts no connections yet (${reason}), waiting for at most ${seconds} s`)
      await sleep(PAUSE_MS)
    }
  }
}

function isStarting(error: unknown): boolean {
  return toFailure(error) instanceof Failure && !REJECTED.test((error as { code?: string }).code ?? '')
}

/** Returns the message of an error. That of several addresses has none. */
export function describeError(error: unknown): string {
  const { message, code = 'unknown error' } = error as Error & { code?: string }
  return message || code
}
