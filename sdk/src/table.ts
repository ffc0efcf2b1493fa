import { OPERATIONS } from './generated/operations.ts'
import type { OperationId } from './contract.ts'

/** What a client must know to call an operation */
export type Operation = {
  method: string
  path: string
  /** Its error codes, see `ERROR_CODES` */
  codes: string
  /** JSON, a form, the access token, or an `Idempotency-Key` */
  takes(what: 'j' | 'f' | 't' | 'i'): boolean
  /** New tokens, or a file */
  returns(what: 'T' | 'F'): boolean
}

const PREFIX = '/api/v1'
const rows: Partial<Record<OperationId, string>> = { ...OPERATIONS }

/** Adds the operations of a module that not every application needs. */
export function addOperations(more: Partial<Record<OperationId, string>>): void {
  Object.assign(rows, more)
}

export function operationOf(id: OperationId): Operation {
  const [method = '', path = '', codes = '', letters = ''] = rows[id]?.split(' ') ?? []
  const has = (letter: string): boolean => letters.includes(letter)
  return { method, path: PREFIX + path, codes, takes: has, returns: has }
}
