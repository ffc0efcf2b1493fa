// An S3 server in this process that honours conditional writes, which the package ignores by itself.
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

type Store = { getMetadata(bucket: string, key: string): Promise<{ etag: string }> }
type Request = { method: string; path: string; get(header: string): string; status: number; body: unknown }
type Middleware = (request: Request, next: () => Promise<void>) => Promise<void>

/** The package has no types. */
type S3rver = {
  middleware: Middleware[]
  store: Store
  httpServer: Server
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

const FilesServer = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver

const REFUSAL = '<Error><Code>PreconditionFailed</Code><Message>A precondition does not hold</Message></Error>'

/**
 * Creates a server with empty buckets.
 *
 * @param conditions what it does with the conditions of writes: `refused` means also those that hold
 * @param port 0: any free port
 */
export function createS3(
  directory: string,
  buckets: readonly string[],
  conditions: 'honored' | 'ignored' | 'refused' = 'honored',
  port = 0,
): S3rver {
  const options = { port, address: '127.0.0.1', silent: true, directory }
  const server = new FilesServer({ ...options, configureBuckets: buckets.map((name) => ({ name })) })
  if (conditions !== 'ignored') honourConditions(server, conditions === 'refused')
  return server
}

/**
 * Refuses writes with `If-Match` or `If-None-Match` that do not apply. Writes run one after the other.
 *
 * @param refusesAll whether each `If-Match` is refused
 */
function honourConditions(server: S3rver, refusesAll: boolean): void {
  let last: Promise<unknown> = Promise.resolve()
  const check: Middleware = async (request, next) => {
    const isRefused = refusesAll && request.get('if-match') !== ''
    if (!isRefused && (await applies(request, server.store))) return next()
    Object.assign(request, { status: 412, body: REFUSAL })
  }
  server.middleware.unshift((request, next) => {
    const isConditional = request.get('if-match') !== '' || request.get('if-none-match') !== ''
    if (request.method !== 'PUT' || !isConditional) return next()
    const done = last.then(() => check(request, next))
    last = done.catch(() => undefined)
    return done
  })
}

async function applies(request: Request, store: Store): Promise<boolean> {
  const [, bucket = '', ...key] = decodeURIComponent(request.path).split('/')
  const found = await store.getMetadata(bucket, key.join('/')).catch(() => undefined) // of an absent object
  if (request.get('if-none-match') === '*') return !found
  return request.get('if-match') === found?.etag
}
