import { Failure } from '../domain/failure.ts'

const RETRY_AFTER_SECONDS = 2
const CAUSES_MAX = 5

/** Prisma: cannot reach, timed out, closed, no free connection, a transaction that could not begin. */
const PRISMA = /^P(1001|1002|1008|1017|2024|2028|2037)$/
/** What the driver adapter of Prisma makes of errors of the socket. */
const ADAPTER = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** PostgreSQL: connection exceptions, shutdown, starting up, too many connections, statement timeout, standby. */
const SQLSTATE = /^(08...|57P0[1-5]|53300|57014|25006)$/
const SYSTEM = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/
/** pg and the embedded database say these without a code. */
const MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|The thread of the embedded database has ended)/

/** The same error, or `database_unavailable` when the database could not be asked. */
export function translateFault(error: unknown): unknown {
  if (error instanceof Failure) return error
  let fault = error
  for (let depth = 0; isObject(fault) && depth < CAUSES_MAX; depth++) {
    if (isUnreachable(fault)) {
      return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    }
    fault = fault.meta?.driverAdapterError ?? fault.cause
  }
  return error
}

/** An error of Prisma, of its driver adapter (which is no Error but has a kind), of pg or of the system. */
type Fault = {
  code?: string
  originalCode?: string
  kind?: string
  message?: string
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

function isUnreachable({ code = '', originalCode = '', kind = '', message = '' }: Fault): boolean {
  const isKnown = [code, originalCode].some((each) => PRISMA.test(each) || SQLSTATE.test(each) || SYSTEM.test(each))
  return isKnown || ADAPTER.test(kind) || MESSAGE.test(message)
}

function isObject(fault: unknown): fault is Fault {
  return typeof fault === 'object' && fault !== null
}
