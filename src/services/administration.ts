import type { Context } from '../context.ts'
import type { Call } from '../contract/operation.ts'
import type { AdminAction } from '../domain/accounts/administration.ts'
import { toAuditContext } from '../domain/audit/audit-context.ts'
import type { Completion } from '../domain/idempotency.ts'
import { runOnce, type IdempotentCall } from './idempotency/run-once.ts'
import { accountRequester } from '../domain/requester.ts'

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

/** The maximum length of an audit event's subject */
const LENGTH_MAX = 254

/** Formats the filters of a list that an administrator has read, for the audit trail: `status=active limit=20`. */
export function filtersText(filters: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(' ')
    .slice(0, LENGTH_MAX)
}

/** Adds the returned ids, or their number and range if the list of them is too long. */
export function resultsText(filters: string, name: string, ids: readonly number[]): string {
  const [first, last] = [ids[0], ids.at(-1)]
  const all = `${filters} ${name}=${ids.join(',') || 'none'}`.trim()
  if (all.length <= LENGTH_MAX) return all
  return `${filters} ${name}=${ids.length}:${String(first)}-${String(last)}`.trim().slice(0, LENGTH_MAX)
}

type AdministratorCall = Readonly<{ bearer: { accountId: number }; abandoned: AbortSignal }>

/** Runs a read in the queue of administrators' reads, unless the client disconnects before its turn. */
export function queuedRead<Result>(
  { bearer, abandoned }: AdministratorCall,
  { administratorReads }: Context,
  read: () => Promise<Result>,
): Promise<Result> {
  return administratorReads.run(accountRequester(bearer.accountId, abandoned), read)
}

type AdminCall = Call<'adminSuspendUser' | 'adminRestoreUser' | 'adminResetFactors'>

export function toAdminAction(call: Pick<AdminCall, 'path' | 'body' | 'bearer' | 'client'>): AdminAction {
  const { path, body, bearer, client } = call
  return { accountId: path.user_id, actor: bearer, reason: body.reason, auditContext: toAuditContext(client) }
}
