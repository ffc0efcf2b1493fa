import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'

const PREFIX = '/docs'

/** The document for people, served whole by this service: the page asks nobody else for anything. */
export async function serveDocs(server: FastifyInstance, document: { json: Buffer; yaml: Buffer }): Promise<void> {
  serveFile(server, '/openapi.json', 'application/json; charset=utf-8', document.json)
  serveFile(server, '/openapi.yaml', 'application/yaml; charset=utf-8', document.yaml)
  await server.register(async (scope) => {
    const nonce = randomBytes(16).toString('base64')
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', pagePolicy(nonce)).header('cache-control', 'public, max-age=300')
      done()
    })
    await scope.register(scalar, {
      routePrefix: PREFIX,
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Tawthiq',
        nonce,
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        showDeveloperTools: 'never',
        persistAuth: false,
      },
    })
  })
}

function serveFile(server: FastifyInstance, path: string, type: string, bytes: Buffer): void {
  server.get(path, (_request, reply) => reply.type(type).header('cache-control', 'public, max-age=300').send(bytes))
}

/** The page runs its own script, styles itself, and calls this service and no other. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
