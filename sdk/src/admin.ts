import { shortcutsTo } from './facade.ts'
import type { Tawthiq } from './client.ts'
import type { Body, OperationId } from './contract.ts'
import { ADMIN_OPERATIONS } from './generated/admin-operations.ts'
import type { CallOperation } from './operation.ts'
import type { CallOptions } from './options.ts'
import { addOperations } from './table.ts'

export type Admin = ReturnType<typeof createAdmin>

/** Adds the operations of administrators to a client. */
// The groups are typed by the document, through the operationIds.
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type
export function createAdmin(tawthiq: Pick<Tawthiq, 'operation'>) {
  addOperations(ADMIN_OPERATIONS)
  const operation = tawthiq.operation as CallOperation<OperationId> // it calls what is in the table
  const { body, query } = shortcutsTo(operation)
  const ofUser = (userId: number, options?: CallOptions): CallOptions & { path: { user_id: number } } => ({
    ...options,
    path: { user_id: userId },
  })
  return {
    users: {
      list: query('adminListUsers'),
      get: (userId: number, options?: CallOptions) => operation('adminGetUser', undefined, ofUser(userId, options)),
      suspend: (userId: number, given: Body<'adminSuspendUser'>, options?: CallOptions) =>
        operation('adminSuspendUser', given, ofUser(userId, options)),
      restore: (userId: number, given: Body<'adminRestoreUser'>, options?: CallOptions) =>
        operation('adminRestoreUser', given, ofUser(userId, options)),
      resetFactors: (userId: number, given: Body<'adminResetFactors'>, options?: CallOptions) =>
        operation('adminResetFactors', given, ofUser(userId, options)),
      review: (userId: number, given: Body<'adminReviewLawyer'>, options?: CallOptions) =>
        operation('adminReviewLawyer', given, ofUser(userId, options)),
    },
    audit: query('adminListAudit'),
    events: { list: query('adminListEvents'), replay: body('adminReplayEvents') },
  }
}
