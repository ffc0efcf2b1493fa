import type { Break } from './break.ts'
import type { Documents } from './operations.ts'
import { requestSchemas } from './requests.ts'

const LIMIT = /^x-.*megabytes/

/** Returns the files whose maximum size became smaller. */
export function loweredFileLimits(documents: Documents): Break[] {
  return requestSchemas(documents).flatMap(({ released, current }) =>
    Object.entries(current.node)
      .filter(([name, limit]) => LIMIT.test(name) && Number(limit) < Number(released.node[name] ?? Infinity))
      .map(([name, limit]) => ({
        rule: 'file-limit-lowered',
        location: current.pointer,
        message: `The maximum size of the file changed from ${megabytes(released.node[name])} to ${megabytes(limit)}.`,
      })),
  )
}

function megabytes(limit: unknown): string {
  return typeof limit === 'number' ? `${limit} MB` : 'no limit'
}
