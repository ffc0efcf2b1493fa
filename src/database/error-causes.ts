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
