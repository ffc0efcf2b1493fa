import type { Context } from '../../context.ts'
import { accountRequester } from '../../domain/requester.ts'

type AdministratorCall = Readonly<{ bearer: { accountId: number }; abandoned: AbortSignal }>

/** Runs a read in the queue of administrators' reads, unless the client disconnects before its turn. */
export function queuedRead<Result>(
  { bearer, abandoned }: AdministratorCall,
  { administratorReads }: Context,
  read: () => Promise<Result>,
): Promise<Result> {
  return administratorReads.run(accountRequester(bearer.accountId, abandoned), read)
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
