import { Failure, invalidData } from '../domain/failure.ts'

const RETRY_AFTER_SECONDS = 2
const CAUSES_MAX = 5

/** Prisma: cannot reach, no such database, timed out, closed, no free connection, a transaction that could not begin. */
const PRISMA = /^P(1001|1002|1003|1008|1017|2024|2028|2037)$/
/** What the driver adapter of Prisma makes of errors of the socket. */
const ADAPTER = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** PostgreSQL: connection exceptions, shutdown, starting up, no room, statement timeout, standby, no such database. */
const SQLSTATE = /^(08...|57P0[1-5]|53...|57014|25006|3D000)$/
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

type Method = (...args: never[]) => Promise<unknown>

/** The same methods, throwing a Failure where the database is at fault. */
export function translating<Methods extends Record<string, Method>>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: never[]) =>
      method(...args).catch((error: unknown) => {
        throw translateFault(error)
      }),
  ])
  return Object.fromEntries(wrapped) as Methods
}

/** Which unique field of an account a write would have doubled; undefined when the error is another one. */
export function takenField(error: unknown): 'email' | 'phone' | undefined {
  if (!isObject(error) || (error.code !== 'P2002' && error.code !== 'P2010')) return undefined // P2010: of a raw query
  const told = JSON.stringify(error.meta?.driverAdapterError ?? {}) // the name of the index, which holds no data
  if (told.includes('accounts_email_key')) return 'email'
  return told.includes('accounts_verified_phone_key') ? 'phone' : undefined
}

/** @throws Failure 422 on the field that a write would have doubled, and otherwise what was thrown */
export function refuseTaken(error: unknown): never {
  const field = takenField(error)
  throw field ? invalidData({ [field]: [`${field}_taken`] }) : error
}

/** The same for an e-mail address that another field of the request stands for. */
export function refuseTakenEmail(field: 'token' | 'code'): (error: unknown) => never {
  return (error) => {
    throw takenField(error) === 'email' ? invalidData({ [field]: ['email_taken'] }) : error
  }
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
