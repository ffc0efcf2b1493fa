import fastify, { type FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { computeEtag, sendWithEtag } from '../reply/etag.ts'

const PREFIX = '/docs'
const PATHS = [PREFIX, `${PREFIX}/`, `${PREFIX}/js/scalar.js`]
const CACHE = 'public, max-age=300'
/** An inline icon, so that browsers do not request /favicon.ico */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M2 8l4 4 8-9' fill='none' stroke='green' stroke-width='3'/></svg>"
const PAGE_BYTES_MAX = 64 * 1024

/** Serves the document, its OpenAPI 3.0 edition, and a page that shows it without any request to other hosts. */
export function serveDocs(server: FastifyInstance, document: { json: Buffer; yaml: Buffer; openapi30: Buffer }): void {
  serveFile(server, '/openapi.json', 'application/json; charset=utf-8', document.json)
  serveFile(server, '/openapi.yaml', 'application/yaml; charset=utf-8', document.yaml)
  serveFile(server, '/openapi-3.0.json', 'application/json; charset=utf-8', document.openapi30)

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

/** The response of a path. It is made once, so parallel requests get the same bytes. */
type Page = { status: number; headers: Record<string, string>; body: Buffer; etag: string }

async function openPage(path: string): Promise<Page> {
  const pages = await openPages()
  const { statusCode: status, headers: own, rawPayload: body } = await pages.inject(path)
  await pages.close()
  if (status >= 400) throw new Error(`the page ${path} responded with ${status}`)
  const names = ['content-type', 'location'] as const
  const given = names.flatMap((name) => (own[name] === undefined ? [] : [[name, String(own[name])]]))
  const headers = { ...Object.fromEntries(given), 'content-security-policy': pagePolicy(body) } as Record<
    string,
    string
  >
  return { status, headers, body, etag: computeEtag(body) }
}

/** Loads the pages on their first request, because they take more memory than the rest of the server. */
/** Narrow columns of tables, such as the status of an error, are not broken within a number. */
const STYLE = '.markdown :is(th, td) { overflow-wrap: normal !important; word-break: normal !important }'

async function openPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const pages = fastify()
  await pages.register(scalar, {
    routePrefix: PREFIX,
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Tawthiq',
      favicon: ICON,
      customCss: STYLE,
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

/** Allows the inline scripts of the page and requests to this service only. */
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

/** Returns the hashes of the inline scripts of a page. */
function inlineScripts(page: Buffer): string[] {
  if (page.length > PAGE_BYTES_MAX) return []
  const scripts = [...page.toString().matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script)
  return scripts.filter(Boolean).map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
}
