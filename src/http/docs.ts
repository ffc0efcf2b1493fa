import fastify, { type FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { etagOf, sendWithEtag } from './etag.ts'

const PREFIX = '/docs'
const PATHS = [PREFIX, `${PREFIX}/`, `${PREFIX}/js/scalar.js`]
const CACHE = 'public, max-age=300'
/** A green mark, so that browsers ask for no other icon */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M2 8l4 4 8-9' fill='none' stroke='green' stroke-width='3'/></svg>"
const PAGE_BYTES_MAX = 64 * 1024

/** The document for people, served whole by this service: the page asks nobody else for anything. */
export function serveDocs(server: FastifyInstance, document: { json: Buffer; yaml: Buffer }): void {
  serveFile(server, '/openapi.json', 'application/json; charset=utf-8', document.json)
  serveFile(server, '/openapi.yaml', 'application/yaml; charset=utf-8', document.yaml)

  const pages = new Map<string, Promise<Page>>()
  for (const path of PATHS) {
    server.get(path, async (request, reply) => {
      const page = pages.get(path) ?? openPage(path)
      pages.set(path, page)
      const { status, headers, ...content } = await page.catch((error: unknown) => {
        pages.delete(path)
        throw error
      })
      reply.code(status).headers({ 'cache-control': CACHE, ...headers })
      return sendWithEtag(request, reply, content)
    })
  }
}

/** What stands at a path, made once: however many ask for it at once, they get the same bytes. */
type Page = { status: number; headers: Record<string, string>; body: Buffer; etag: string }

async function openPage(path: string): Promise<Page> {
  const pages = await openPages()
  const { statusCode: status, headers: own, rawPayload: body } = await pages.inject(path)
  await pages.close()
  const names = ['content-type', 'location'] as const
  const given = names.flatMap((name) => (own[name] === undefined ? [] : [[name, String(own[name])]]))
  const headers = { ...Object.fromEntries(given), 'content-security-policy': pagePolicy(body) } as Record<
    string,
    string
  >
  return { status, headers, body, etag: etagOf(body) }
}

/** The pages are opened when somebody looks at them: they take more memory than all the rest of the server. */
async function openPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(scalar, {
    routePrefix: PREFIX,
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Tawthiq',
      favicon: ICON,
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

/** The page runs the scripts that stand in it, styles itself, and calls this service and no other. */
function pagePolicy(page: Buffer): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts(page).join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The hashes of the scripts that stand in a page; a script that is served by itself has none. */
function inlineScripts(page: Buffer): string[] {
  if (page.length > PAGE_BYTES_MAX) return []
  const scripts = [...page.toString().matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  return scripts.filter(Boolean).map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}
