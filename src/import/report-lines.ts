import type { FieldCode, FieldFailure } from '../domain/failure.ts'
import { say } from '../messages/index.ts'
import type { Refusal } from './batches.ts'

/** Hashes of passwords, which stand elsewhere in a row whose columns have shifted */
const HASH = /\$[A-Za-z0-9]+\$[^\s",]*/g

/** What the report says of one row: `{"line":2,"email":…,"errors":{…},"codes":{…}}`. */
export function reportLine({ line, email, failures }: Refusal): string {
  const errors = byField(failures, sentenceOf)
  const codes = byField(failures, codeOf)
  const text = JSON.stringify({ line, email: typeof email === 'string' ? email : null, errors, codes })
  return `${text.replaceAll(HASH, '***')}\n`
}

/** Whether a file begins as a report does, or is empty. */
export function isReport(beginning: string): boolean {
  return beginning === '' || /^\{"line":\d+,"email":/.test(beginning)
}

export function codeOf(failure: FieldFailure): FieldCode {
  return typeof failure === 'string' ? failure : failure.code
}

function byField(failures: Refusal['failures'], told: (failure: FieldFailure) => string): Record<string, string[]> {
  return Object.fromEntries(Object.entries(failures).map(([field, found]) => [field, found.map(told)]))
}

function sentenceOf(failure: FieldFailure): string {
  return typeof failure === 'string' ? say('en', failure) : say('en', failure.code, failure.values)
}
