import type { Context } from '../../context.ts'
import type { Call } from '../../contract/operation.ts'
import type { AdminAction } from '../../domain/accounts/administration.ts'
import { toAuditContext } from '../../domain/audit/audit-context.ts'
import type { Completion } from '../../domain/idempotency.ts'
import { runOnce, type IdempotentCall } from '../idempotency/run-once.ts'

type Change<Result, Data> = {
  /** Runs the change, and stores its outcome in the same transaction. */
  run(completion: Completion<Result> | undefined): Promise<Result>
  /** Returns the data of the response. */
  serialize(result: Result): Data
}

/** Runs a change of an administrator once for each `Idempotency-Key`, and returns the data of the first response. */
export function changeOnce<Result, Data>(
  call: IdempotentCall,
  context: Context,
  { run, serialize }: Change<Result, Data>,
): Promise<Data> {
  const { idempotencySecrets: secrets } = context
  const toData = (result: Result): Uint8Array => secrets.seal(serialize(result))
  return runOnce<Data>(call, context, {
    isAtomic: true,
    run: async (attempt) => serialize(await run(attempt && { claim: attempt.claim, toData })),
    replay({ data }) {
      const opened = data && secrets.open(data)
      if (opened === undefined) throw new Error('the stored result of a request cannot be decrypted')
      return opened as Data // of the same operation, because the key belongs to it
    },
  })
}

type AdminCall = Call<'adminSuspendUser' | 'adminRestoreUser' | 'adminResetFactors'>

export function toAdminAction(call: Pick<AdminCall, 'path' | 'body' | 'bearer' | 'client'>): AdminAction {
  const { path, body, bearer, client } = call
  return { accountId: path.user_id, actor: bearer, reason: body.reason, auditContext: toAuditContext(client) }
}
