import { OPERATIONS } from './generated/operations.ts'
import type { OperationId } from './contract.ts'

/** What a client must know to call an operation */
export type Operation = {
  method: string
  path: string
  /** Its error codes, see `ERROR_CODES` */
  codes: string
  takes(what: 'json' | 'form' | 'token' | 'idempotent'): boolean
  returns(what: 'tokens' | 'file'): boolean
}

const PREFIX = '/api/v1'
const rows: Partial<Record<OperationId, string>> = { ...OPERATIONS }

/** Adds the operations of a module that not every application needs. */
export function addOperations(more: Partial<Record<OperationId, string>>): void {
  Object.assign(rows, more)
}

export function operationOf(id: OperationId): Operation {
  const [method = '', path = '', codes = '', ...uses] = rows[id]?.split(' ') ?? []
  const has = (use: string): boolean => uses.includes(use)
  return { method, path: PREFIX + path, codes, takes: has, returns: has }
}
