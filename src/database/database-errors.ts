import { Failure, failuresAt, invalidData } from '../domain/failure.ts'

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
const UNIQUE_VIOLATION = '23505'
const SYSTEM = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/
/** Errors of pg and of the embedded database that have no code. */
const MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|The thread of the embedded database has exited)/

/** Returns `database_unavailable` if the database could not be reached, and the same error otherwise. */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  // a plan is stale if the retry found another change
  const isUnavailable = isStalePlan(error) || causesOf(error).some(isUnreachable)
  if (!isUnavailable) return error
  return new Failure('database_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
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

/** Returns the unique field of an account that caused a conflict; undefined if the error has another cause. */
export function takenField(error: unknown): 'email' | 'phone' | undefined {
  const index = violatedIndex(error)
  if (index.includes('accounts_email_key')) return 'email'
  return index.includes('accounts_verified_phone_key') ? 'phone' : undefined
}

/** Handles the error of a challenge that a request of another account has used meanwhile: a login challenge belongs to none. */
export function undefinedIfChallengeUsed(error: unknown): undefined {
  if (!violatedIndex(error).includes('used_challenges_pkey')) throw error
}

/** Returns a text with the name of the unique index that caused a conflict; an empty text for any other error. */
function violatedIndex(error: unknown): string {
  const [fault] = causesOf(error)
  if (!fault) return ''
  if (fault.code === UNIQUE_VIOLATION) return fault.constraint ?? ''
  const isConflict = fault.code === 'P2002' || fault.code === 'P2010' // P2010: raw query
  return isConflict ? JSON.stringify(fault.meta?.driverAdapterError ?? {}) : ''
}

/** @throws Failure 422 on the field with the conflict, or the original error if it has another cause */
export function throwIfTaken(error: unknown): never {
  const field = takenField(error)
  throw field ? invalidData(failuresAt(field, `${field}_taken`)) : error
}

/** Like `throwIfTaken`, for an e-mail address that the request identifies by a token or a code. */
export function throwIfEmailTaken(field: 'token' | 'code' | 'otp'): (error: unknown) => never {
  return (error) => {
    throw takenField(error) === 'email' ? invalidData(failuresAt(field, 'email_taken')) : error
  }
}

/** Resolves to undefined if another account has verified the number concurrently. */
export function undefinedIfPhoneTaken(error: unknown): undefined {
  if (takenField(error) !== 'phone') throw error
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

/** The SQLSTATE and the function of the server of a stale plan. The message depends on `lc_messages`. */
const STALE = { code: '0A000', routine: 'RevalidateCachedQuery' }
const CAUSES_MAX = 5

/** An error of Prisma, its driver adapter, pg or the system. The adapter's is not an Error, and has a kind. */
export type DatabaseError = {
  code?: string
  constraint?: string
  severity?: string
  /** Unknown to Prisma */
  routine?: string
  originalCode?: string
  kind?: string
  message?: string
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/** Returns an error and its causes. */
export function causesOf(error: unknown): DatabaseError[] {
  const causes: DatabaseError[] = []
  let fault = error
  while (isObject(fault) && causes.length < CAUSES_MAX) {
    causes.push(fault)
    fault = fault.meta?.driverAdapterError ?? fault.cause
  }
  return causes
}

function isObject(fault: unknown): fault is DatabaseError {
  return typeof fault === 'object' && fault !== null
}

/**
 * Returns whether an error says that the columns of a prepared statement have changed since it was prepared, as a
 * migration of another instance can do. Nothing of the statement was run.
 */
export function isStalePlan(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, originalCode, routine = STALE.routine }) =>
      (code === STALE.code || originalCode === STALE.code) && routine === STALE.routine,
  )
}
