import type { FieldCode, FieldFailure } from '../../../domain/failure.ts'
import { say } from '../../../messages/index.ts'
import type { RejectedRow } from '../batches.ts'

/** Password hashes, which can be in any field if the columns of a row are shifted */
const HASH = /\$[A-Za-z0-9]+\$[^\s",]*/g
/** A value that can be the secret of an authenticator app for the same reason: no address is like it */
const SECRET = /^[\s"]*otpauth:|^[A-Za-z2-7=\s-]{16,}$/i

/** Returns the report line of a row: `{"line":2,"email":…,"errors":{…},"codes":{…}}`. */
export function reportLine({ line, email, failures }: RejectedRow): string {
  const errors = byField(failures, (each) =>
    typeof each === 'string' ? say('en', each) : say('en', each.code, each.values),
  )
  const codes = byField(failures, getCode)
  const shown = typeof email !== 'string' ? null : SECRET.test(email) ? '***' : email
  const text = JSON.stringify({ line, email: shown, errors, codes })
  return `${text.replaceAll(HASH, '***')}\n`
}

/** Returns whether a file is empty or begins like a report. */
export function isReport(beginning: string): boolean {
  return beginning === '' || /^\{"line":\d+,"email":/.test(beginning)
}

export function getCode(failure: FieldFailure): FieldCode {
  return typeof failure === 'string' ? failure : failure.code
}

function byField(
  failures: RejectedRow['failures'],
  describe: (failure: FieldFailure) => string,
): Record<string, string[]> {
  return Object.fromEntries(Object.entries(failures).map(([field, found = []]) => [field, found.map(describe)]))
}
