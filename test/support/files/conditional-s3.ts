// Makes the S3 server of the tests honour conditional writes, which it ignores by itself.
type Store = { getMetadata(bucket: string, key: string): Promise<{ etag: string }> }
type Request = { method: string; path: string; get(header: string): string; status: number; body: unknown }
type Middleware = (request: Request, next: () => Promise<void>) => Promise<void>

/** The part of the server that this module changes. The package has no types. */
export type WithMiddleware = { middleware: Middleware[]; store: Store }

const REFUSAL = '<Error><Code>PreconditionFailed</Code><Message>A precondition does not hold</Message></Error>'

/**
 * Refuses writes with `If-Match` or `If-None-Match` that do not apply. Writes run one after the other.
 *
 * @param refusesAll whether each `If-Match` is refused
 */
export function honourConditions(server: WithMiddleware, refusesAll = false): void {
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
