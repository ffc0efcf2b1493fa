import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Failure } from '../../domain/failure.ts'
import { negotiate, type Encoding, type EncodingTags } from '../reply/encodings.ts'

/** A file of the site, as scripts/site lists it */
export type SiteFile = {
  /** The path in the URL */
  path: string
  type: string
  /** Whether the name contains a hash of the content */
  isHashed: boolean
  tags: EncodingTags
  /** In place of the files of the build */
  contents?: Readonly<Partial<Record<Encoding, Buffer>>>
  /** What its page may load; undefined for other files */
  policy?: string | undefined
}

const SITE = new URL('../../../site/', import.meta.url)

/** Lists the files that the build has written to dist/site. */
export function readSite(): SiteFile[] {
  return JSON.parse(readFileSync(new URL('site.json', SITE), 'utf8')) as SiteFile[]
}

export function siteFileAt(path: string): URL {
  return new URL(`.${path}`, SITE)
}

const PAGE_CACHE = 'public, max-age=300'
const ASSET_CACHE = 'public, max-age=31536000, immutable'
const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' }
const CHOOSER = '/docs/index.html'
/** Where the account pages are */
export const ACCOUNT = '/account/'

/** Allows scripts, styles and images of this service, and the requests of the reference to it */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

type SiteOptions = Readonly<{
  isProduction: boolean
  /** The files of the account pages; none if they are not served */
  account: readonly SiteFile[]
}>

/**
 * Serves the document, the documentation and the account pages, as files that the build has compressed. `/docs/` leads to
 * the guides in the language of the request, unknown addresses below it show browsers a page, and in development `/` leads
 * to `/docs/`.
 */
export function serveSite(
  server: FastifyInstance,
  files: readonly SiteFile[],
  { isProduction, account }: SiteOptions,
): void {
  const documented = files
    .filter(({ path }) => path !== CHOOSER && !path.startsWith(ACCOUNT))
    .map((file) => ({ ...file, policy: file.type.startsWith('text/html') ? DOCS_POLICY : undefined }))
  const served = new Map<string, SiteFile>([...documented, ...account].map((file) => [urlOf(file), file]))
  const serve = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    const { '*': rest = '' } = request.params as { '*'?: string }
    const path = (request.routeOptions.url ?? '').replace('*', () => rest)
    const file = served.get(path)
    if (file) return sendFile(request, reply, file)
    if (served.has(`${path}/`)) return redirect(reply, `${path.slice(path.lastIndexOf('/') + 1)}/`)
    return sendMissing(request, reply, served.get(`/docs/${languageIn(path) ?? request.language}/not-found/`))
  }
  // one route for each, because each of a hundred would be compiled at every start
  for (const prefix of ['/docs/', ...(account.length > 0 ? [ACCOUNT] : [])]) {
    server.get(`${prefix}*`, serve)
    server.get(prefix.slice(0, -1), (_request, reply) => redirect(reply, prefix.slice(1)))
  }
  for (const path of served.keys()) if (!/^\/(docs|account)\//.test(path)) server.get(path, serve)
  server.get('/docs/', (request, reply) => redirect(reply, `${request.language}/`))
  if (!isProduction) server.get('/', (_request, reply) => redirect(reply, 'docs/'))
}

/** Returns the language of a page of the documentation; undefined if it has none. */
function languageIn(path: string): string | undefined {
  return path.startsWith('/docs/reference/') ? 'en' : /^\/docs\/(ar|en)\//.exec(path)?.[1]
}

/** Shows a page that says so to browsers. Other clients get the envelope. */
function sendMissing(request: FastifyRequest, reply: FastifyReply, page: SiteFile | undefined): Promise<FastifyReply> {
  const { url = '' } = request.routeOptions
  if (!page || !url.startsWith('/docs/') || !request.headers.accept?.includes('text/html'))
    throw new Failure('route_unknown')
  delete request.headers['if-none-match'] // only a response of 200 can become 304
  reply.code(404).header('vary', `${String(reply.getHeader('vary'))}, Accept`)
  return sendFile(request, reply, page)
}

/** A page is served at its directory, with a slash, and any other file at its path. */
function urlOf({ path }: SiteFile): string {
  return path.replace(/\/index\.html$/, '/')
}

/** Redirects to a path relative to that of the request, which a proxy may have put below another one. */
function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).headers({ location, 'cache-control': PAGE_CACHE }).send()
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): Promise<FastifyReply> {
  reply.type(file.type).header('cache-control', file.isHashed ? ASSET_CACHE : PAGE_CACHE)
  const language = languageIn(file.path)
  if (language === undefined) reply.removeHeader('content-language')
  else reply.header('content-language', language)
  if (file.policy !== undefined) reply.header('content-security-policy', file.policy)
  const encoding = negotiate(request, reply, file.tags)
  if (encoding === undefined) return reply.code(304).send()
  return reply.send(file.contents?.[encoding] ?? (await readFile(siteFileAt(file.path + EXTENSIONS[encoding]))))
}
