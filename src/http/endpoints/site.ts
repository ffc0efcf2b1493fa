import { readFileSync } from 'node:fs'
import type { EncodingTags } from '../reply/encodings.ts'

/** A file of the documentation site, as scripts/site lists it */
export type SiteFile = {
  /** The path in the URL */
  path: string
  type: string
  /** Whether the name contains a hash of the content */
  isHashed: boolean
  tags: EncodingTags
}

const SITE = new URL('../../../site/', import.meta.url)

/** Lists the files that the build has written to dist/site. */
export function readSite(): SiteFile[] {
  return JSON.parse(readFileSync(new URL('site.json', SITE), 'utf8')) as SiteFile[]
}

/** Returns the place of a file of the site. */
export function siteFileAt(path: string): URL {
  return new URL(`.${path}`, SITE)
}
