import { Failure } from '../../domain/failure.ts'
import { withDeadline } from '../../adapters/resilience/deadline.ts'
import type { Finding } from '../../lib/startup-error.ts'

/**
 * The result of a check. A skipped one was not possible without a side effect, or is not configured. A warning is about a
 * configuration that works, but leaves a risk.
 */
export type CheckResult = Readonly<{ name: string; status: 'ok' | 'skipped' | 'warning' | 'failed'; text: string }>

/** Returns what was found. An error means that the check has failed. */
export type Run = (signal: AbortSignal) => Promise<string | { warning: string }>

const CHECK_MS_MAX = 15_000
const CAUSES_MAX = 4

/** Runs a check, for a bounded time. */
export async function check(name: string, run: Run): Promise<CheckResult> {
  try {
    const found = await withDeadline(CHECK_MS_MAX, run)
    return typeof found === 'string' ? { name, status: 'ok', text: found } : warning(name, found.warning)
  } catch (error) {
    return { name, status: 'failed', text: explain(error) }
  }
}

export function skipped(name: string, text: string): CheckResult {
  return { name, status: 'skipped', text }
}

export function warning(name: string, text: string): CheckResult {
  return { name, status: 'warning', text }
}

/** Fails the check that calls it, if a problem was found. */
export function failOn(finding: Finding | undefined): void {
  if (finding) throw new Error(finding.text)
}

const WORDS = { ok: 'ok', warning: 'WARNING', skipped: 'skipped', failed: 'FAILED' } as const

export function toLine({ name, status, text }: CheckResult): string {
  return `${WORDS[status].padEnd(9)}${name.padEnd(20)}${text.replaceAll(/\s+/g, ' ')}`
}

/** Returns the message of the innermost cause, which names the fault. */
function explain(error: unknown): string {
  let fault = error
  for (let depth = 0; fault instanceof Error && fault.cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (!(fault instanceof Failure) && fault.message !== '') break
    fault = fault.cause
  }
  if (fault instanceof AggregateError) return fault.errors.map(explain).join(', ')
  return fault instanceof Error ? fault.message || fault.name : String(fault)
}
