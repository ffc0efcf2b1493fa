import type { FastifyInstance } from 'fastify'
import { METHODS } from 'node:http'
import { Failure } from '../../domain/failure.ts'

export type RecordedRoutes = ReadonlyMap<string, ReadonlySet<string>>

/** The target of `OPTIONS *`, which the router takes for `/` */
const ANY_PATH = '*'

/** Records the path and the methods of every route that is registered from now on. */
export function recordRoutes(server: FastifyInstance): RecordedRoutes {
  const served = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url }) => {
    const methods = served.get(url) ?? new Set<string>()
    for (const each of [method].flat()) methods.add(each)
    served.set(url, methods)
  })
  return served
}

/** Responds 405 with `Allow` to every other method on the recorded paths. */
export function refuseOtherMethods(server: FastifyInstance, served: RecordedRoutes): void {
  const known = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of known) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)

  for (const [url, methods] of [...served]) {
    const others = known.filter((method) => !methods.has(method))
    const allow = [...methods].sort().join(', ')
    server.route({
      url,
      method: others,
      onRequest({ raw }, reply, done) {
        const isKnown = raw.url !== ANY_PATH
        if (isKnown) reply.header('allow', allow)
        done(new Failure(isKnown ? 'method_not_allowed' : 'route_unknown'))
      },
      handler: () => undefined,
    })
  }
}
