import fastify, { type FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'

const PREFIX = '/docs'
const PATHS = [PREFIX, `${PREFIX}/`, `${PREFIX}/js/scalar.js`]
const CACHE = 'public, max-age=300'

/** The document for people, served whole by this service: the page asks nobody else for anything. */
export function serveDocs(server: FastifyInstance, document: { json: Buffer; yaml: Buffer }): void {
  serveFile(server, '/openapi.json', 'application/json; charset=utf-8', document.json)
  serveFile(server, '/openapi.yaml', 'application/yaml; charset=utf-8', document.yaml)

  const nonce = randomBytes(16).toString('base64')
  const policy = pagePolicy(nonce)
  let pages: Promise<FastifyInstance> | undefined
  for (const path of PATHS) {
    server.get(path, async ({ url, headers }, reply) => {
      pages ??= openPages(nonce)
      const {
        statusCode,
        headers: own,
        rawPayload,
      } = await (await pages).inject({ url, headers: { host: headers.host } })
      for (const name of ['content-type', 'location'] as const)
        if (own[name] !== undefined) reply.header(name, own[name])
      return reply
        .code(statusCode)
        .header('cache-control', CACHE)
        .header('content-security-policy', policy)
        .send(rawPayload)
    })
  }
}

/** The pages are opened when somebody looks at them: they take more memory than all the rest of the server. */
async function openPages(nonce: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(scalar, {
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
      orderSchemaPropertiesBy: 'preserve',
      authentication: { preferredSecurityScheme: 'bearerAuth' },
    },
  })
  return pages
}

function serveFile(server: FastifyInstance, path: string, type: string, bytes: Buffer): void {
  server.get(path, (_request, reply) => reply.type(type).header('cache-control', CACHE).send(bytes))
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
