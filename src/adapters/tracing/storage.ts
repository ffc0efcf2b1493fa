import type { Tracer } from '../../lib/tracing.ts'
import type { FileStorage } from '../files/storage.ts'

/** Traces the calls of requests to an S3-compatible store. Keys are random, but are left out. */
export function tracedStorage(storage: FileStorage, tracer: Tracer | undefined): FileStorage {
  if (!tracer) return storage
  const trace = <Result>(method: string, call: () => Promise<Result>): Promise<Result> =>
    tracer.trace(
      `S3 ${method}`,
      { attributes: { 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': method } },
      call,
    )
  return {
    ...storage,
    put: (...given) => trace('PutObject', () => storage.put(...given)),
    read: (...given) => trace('GetObject', () => storage.read(...given)),
    remove: (...given) => trace('DeleteObject', () => storage.remove(...given)),
  }
}
