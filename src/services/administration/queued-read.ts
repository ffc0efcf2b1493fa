import type { Context } from '../../context.ts'
import { accountRequester } from '../../domain/limits/policy.ts'

type AdministratorCall = Readonly<{ bearer: { accountId: number }; abandoned: AbortSignal }>

/** Runs a read in the queue of administrators' reads, unless the client disconnects before its turn. */
export function queuedRead<Result>(
  { bearer, abandoned }: AdministratorCall,
  { administratorReads }: Context,
  read: () => Promise<Result>,
): Promise<Result> {
  return administratorReads.run(accountRequester(bearer.accountId, abandoned), read)
}
