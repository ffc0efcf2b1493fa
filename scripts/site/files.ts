import { createHash } from 'node:crypto'
import { extname, posix } from 'node:path'

export type SiteFile = {
  path: string
  body: Buffer
  /** Whether the name contains a hash of the content, so that browsers never have to ask for it again */
  isHashed: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/atom+xml; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
}

export function mediaTypeAt(path: string): string {
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`the site has no media type for ${path}`)
  return type
}

export function fixedFile(path: string, text: string): SiteFile {
  return { path, body: Buffer.from(text), isHashed: false }
}

export function hashedFile(path: string, text: string): SiteFile {
  const body = Buffer.from(text)
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const extension = extname(path)
  return { path: `${path.slice(0, -extension.length)}.${hash}${extension}`, body, isHashed: true }
}

/**
 * Returns the relative link from the page at a path to another path, so that the site works in any directory. The page of unknown
 * addresses has absolute links, because it is shown at any depth.
 */
export function linkFrom(page: string, target: string): string {
  const link = page.includes('/not-found/') ? target : posix.relative(posix.dirname(page), target)
  const shown = link.replace(/(^|\/)index\.html$/, '$1')
  return shown === '' ? './' : shown
}
