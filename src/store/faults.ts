import { Failure } from '../domain/failure.ts'

const RETRY_AFTER_SECONDS = 2

/** Prisma: cannot reach, timed out, closed, no free connection; and what it says when a transaction could not begin. */
const PRISMA_UNREACHABLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])
/** PostgreSQL: connection exceptions, shutdown, starting up, too many connections, statement timeout, read-only standby. */
const SQLSTATE_UNREACHABLE = /^(08...|57P0[1-5]|53300|57014|25006)$/
const SYSTEM_UNREACHABLE = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/
/** pg says these without a code. */
const MESSAGE_UNREACHABLE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|The thread of the embedded database has ended)/

/** The same error, or `database_unavailable` when the database could not be asked. */
export function translateFault(error: unknown): unknown {
  for (let fault: unknown = error, depth = 0; fault instanceof Error && depth < 5; fault = innerOf(fault), depth++) {
    if (isUnreachable(fault)) {
      return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    }
  }
  return error
}

function isUnreachable(fault: Error): boolean {
  const code = 'code' in fault ? String(fault.code) : ''
  return (
    PRISMA_UNREACHABLE.has(code) ||
    SQLSTATE_UNREACHABLE.test(code) ||
    SYSTEM_UNREACHABLE.test(code) ||
    MESSAGE_UNREACHABLE.test(fault.message)
  )
}

/** Prisma keeps what the driver said in `meta.driverAdapterError`, and its original code in `cause.originalCode`. */
function innerOf(fault: Error): unknown {
  const { meta } = fault as { meta?: { driverAdapterError?: unknown } }
  const inner = meta?.driverAdapterError ?? fault.cause
  if (inner instanceof Error || typeof inner !== 'object' || inner === null) return inner
  const { originalCode, originalMessage } = inner as { originalCode?: string; originalMessage?: string }
  return Object.assign(new Error(originalMessage ?? ''), { code: originalCode })
}
