import type { FastifyInstance, FastifyReply } from 'fastify'
import findMyWay from 'find-my-way'
import type { IncomingMessage } from 'node:http'
import { Failure } from '../../domain/failure.ts'

/** The methods of each path that has a route */
export type RecordedRoutes = ReadonlyMap<string, ReadonlySet<string>>

/** The target of `OPTIONS *`, which the router takes for `/` */
const ANY_PATH = '*'

/** Records the path and the methods of every route that is registered from now on. */
export function recordRoutes(server: FastifyInstance): RecordedRoutes {
  const served = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isRefusal) return
    const methods = served.get(url) ?? new Set<string>()
    for (const each of [method].flat()) methods.add(each)
    served.set(url, methods)
  })
  return served
}

/**
 * Rejects the methods that a path does not have, but that one with a parameter in its place has: the router would take
 * `PUT /passkeys/options` for `PUT /passkeys/{passkey_id}`.
 */
export function refuseOtherMethods(server: FastifyInstance, served: RecordedRoutes): void {
  const patterns = [...served]
    .filter(([url]) => url.includes(':'))
    .map(([url, methods]) => [new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`), methods] as const)
  for (const [url, methods] of [...served].filter(([each]) => !each.includes(':'))) {
    const others = patterns.flatMap(([pattern, found]) => (pattern.test(url) ? [...found] : []))
    const method = others.filter((each) => !methods.has(each))
    if (method.length === 0) continue
    const onRequest = async (_request: unknown, reply: FastifyReply): Promise<never> => {
      reply.header('allow', [...methods].sort().join(', '))
      throw new Failure('method_not_allowed')
    }
    server.route({ method, url, config: { isRefusal: true }, onRequest, handler: onRequest })
  }
}

/** Returns why a request without a route is rejected: 405 with `Allow` if its path has other methods. */
export type ExplainUnrouted = (request: IncomingMessage, reply: FastifyReply) => Failure

/**
 * Finds the paths of requests without a route. Their router is built for the first such request: a route for each of the
 * 33 methods of each path would take a tenth of the start.
 */
export function explainUnrouted(served: RecordedRoutes, maxParamLength: number): ExplainUnrouted {
  let find: FindMethods | undefined
  return ({ url = '' }, reply) => {
    find ??= pathFinder(served, maxParamLength)
    const found = url === ANY_PATH ? undefined : find(url)
    if (!found) return new Failure('route_unknown')
    if (found instanceof Failure) return found
    reply.header('allow', [...found].sort().join(', '))
    return new Failure('method_not_allowed')
  }
}

/** Returns the methods of a path, or why the path is malformed; undefined if it has no route. */
type FindMethods = (url: string) => Failure | readonly string[] | undefined

function pathFinder(served: RecordedRoutes, maxParamLength: number): FindMethods {
  const malformed = (): void => undefined
  const router = findMyWay({ maxParamLength, onBadUrl: malformed, onMaxParamLength: malformed })
  for (const [url, methods] of served) router.on('GET', url, () => undefined, [...methods])
  return (url) => {
    const found = router.find('GET', url)
    if (!found) return undefined
    return found.store === null ? new Failure('malformed_request') : (found.store as string[])
  }
}
