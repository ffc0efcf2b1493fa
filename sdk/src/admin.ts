import { shortcutsTo } from './facade.ts'
import type { Tawthiq } from './client.ts'
import type { Body } from './contract.ts'
import type { CallOptions } from './options.ts'

export type Admin = ReturnType<typeof createAdmin>

/** Adds the operations of administrators to a client. */
// The groups are typed by the document, through the operationIds.
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type
export function createAdmin({ operation }: Pick<Tawthiq, 'operation'>) {
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
      review: (userId: number, given: Body<'adminReviewLawyer'>, options?: CallOptions) =>
        operation('adminReviewLawyer', given, ofUser(userId, options)),
    },
    audit: query('adminListAudit'),
    events: { list: query('adminListEvents'), replay: body('adminReplayEvents') },
  }
}
