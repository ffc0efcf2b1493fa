// What happens while PostgreSQL is unavailable. A request waits for a connection for at most 1 s and for a statement for at most 2 s
// (./connection/index.ts). It is not repeated: its client gets `503 database_unavailable` with `Retry-After: 2`, and so does a probe of
// readiness, within 1.8 s. Operations that read only what is in memory, such as the lookups, are served. Events and e-mails
// remain in their tables: each poll tries again, every 5 s, and the leases of running deliveries end only after 20 s. There is no
// circuit breaker: the first request after the outage connects again. Only a start waits for longer (./connection/wait.ts).
import { Failure } from '../domain/failure.ts'
import { causesOf, type DatabaseError } from './error-causes.ts'
import { isStalePlan } from './stale-plans.ts'

const RETRY_AFTER_SECONDS = 2

/** Prisma: rejected login, unreachable, unknown database, timeout, closed or no free connection, no transaction, conflict. */
const PRISMA = /^P(1000|1001|1002|1003|1008|1010|1017|2024|2028|2034|2037)$/
/** Errors of the socket, as the driver adapter of Prisma reports them. */
const ADAPTER = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/**
 * PostgreSQL: connection exception, standby, timeout of a transaction, rejected login, unknown database, conflict with another
 * transaction, no resources, lock timeout, statement timeout, shutdown, startup, failed disk.
 */
const SQLSTATE = /^(08...|25006|25P0[34]|28...|3D000|40001|40P01|53...|55P03|57014|57P0[1-5]|58...)$/
/** The severity of errors that end the connection. Some servers and poolers have SQLSTATEs of their own for them. */
const ENDING = /^(FATAL|PANIC)$/
const SYSTEM = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/
/** Errors of pg and of the embedded database that have no code. */
const MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|The thread of the embedded database has exited)/

/** Returns `database_unavailable` if the database could not be reached, and the same error otherwise. */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  // a plan is stale if the retry found another change
  const isUnavailable = isStalePlan(error) || causesOf(error).some(isUnreachable)
  return isUnavailable ? unavailable(error) : error
}

export function unavailable(cause: unknown): Failure {
  return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}

type Method = (...args: never[]) => Promise<unknown>

/** Wraps methods so that they throw the Failure `database_unavailable` if the database cannot be reached. */
export function withDatabaseErrors<Methods extends Record<string, Method>>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: never[]) =>
      method(...args).catch((error: unknown) => {
        throw toFailure(error)
      }),
  ])
  return Object.fromEntries(wrapped) as Methods
}

function isUnreachable({
  code = '',
  originalCode = '',
  kind = '',
  severity = '',
  message = '',
}: DatabaseError): boolean {
  const isKnown = [code, originalCode].some((each) => PRISMA.test(each) || SQLSTATE.test(each) || SYSTEM.test(each))
  return isKnown || ENDING.test(severity) || ADAPTER.test(kind) || MESSAGE.test(message)
}
