import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFile } from 'node:fs/promises'
import { negotiate, type Encoding } from '../reply/encodings.ts'
import { siteFileAt, type SiteFile } from './site.ts'

const PAGE_CACHE = 'public, max-age=300'
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' }
const CHOOSER = '/docs/index.html'

/** Allows the scripts of the reference, and requests to this service only. Guides have no scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * Serves the document and the documentation site, as files that the build has compressed. `/docs/` leads to the guides in
 * the language of the request, and in development `/` leads to `/docs/`.
 */
export function serveDocs(server: FastifyInstance, files: readonly SiteFile[], isProduction: boolean): void {
  for (const file of files.filter(({ path }) => path !== CHOOSER)) serveFile(server, file)
  server.get('/docs/', (request, reply) => redirect(reply, `/docs/${request.language}/`))
  server.get('/docs', (_request, reply) => redirect(reply, '/docs/'))
  if (!isProduction) server.get('/', (_request, reply) => redirect(reply, '/docs/'))
}

/** Serves a page at its directory, with and without a slash, and any other file at its path. */
function serveFile(server: FastifyInstance, file: SiteFile): void {
  const [, directory] = /^(.*)\/index\.html$/.exec(file.path) ?? []
  server.get(directory === undefined ? file.path : `${directory}/`, (request, reply) => sendFile(request, reply, file))
  if (directory !== undefined) server.get(directory, (_request, reply) => redirect(reply, `${directory}/`))
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).headers({ location, 'cache-control': PAGE_CACHE }).send()
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): Promise<FastifyReply> {
  reply.type(file.type).header('cache-control', file.isHashed ? ASSET_CACHE : PAGE_CACHE)
  if (file.type.startsWith('text/html')) reply.header('content-security-policy', POLICY)
  const encoding = negotiate(request, reply, file.tags)
  if (encoding === undefined) return reply.code(304).send()
  return reply.send(await readFile(siteFileAt(file.path + EXTENSIONS[encoding])))
}
