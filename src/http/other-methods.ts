import type { FastifyInstance } from 'fastify'
import { METHODS } from 'node:http'
import { Failure } from '../domain/failure.ts'

export type Served = ReadonlyMap<string, ReadonlySet<string>>

/** Remembers every path that is registered from now on, and its methods. */
export function rememberRoutes(server: FastifyInstance): Served {
  const served = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url }) => {
    const methods = served.get(url) ?? new Set<string>()
    for (const each of [method].flat()) methods.add(each)
    served.set(url, methods)
  })
  return served
}

/** Answers 405 with `Allow` on every path that is served, for every method that it is not served with. */
export function answerOtherMethods(server: FastifyInstance, served: Served): void {
  const known = METHODS.filter((method) => method !== 'CONNECT')
  for (const method of known) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)

  for (const [url, methods] of [...served]) {
    const others = known.filter((method) => !methods.has(method))
    const allow = [...methods].sort().join(', ')
    server.route({
      url,
      method: others,
      onRequest(_request, reply, done) {
        reply.header('allow', allow)
        done(new Failure('method_not_allowed'))
      },
      handler: () => undefined,
    })
  }
}
