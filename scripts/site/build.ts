import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encodingTags, type EncodingTags } from '../../src/http/reply/encodings.ts'
import type { Document } from '../generate/document/openapi.ts'
import { compress, type Quality } from './compress.ts'
import { fixedFile, hashedFile, mediaTypeAt, type SiteFile } from './files.ts'
import { readGuides } from './guides.ts'
import { renderChooser, renderGuide, type Assets } from './page.ts'
import { referenceFiles } from './reference.ts'

export const SITE_DIRECTORY = 'dist/site'

/** The documents that are served and exported as they are generated */
const DOCUMENTS = ['openapi.json', 'openapi.yaml', 'openapi-3.0.json']

/** A file as the service serves it */
export type Served = {
  path: string
  type: string
  isHashed: boolean
  /** The entity tag of each content encoding that exists */
  tags: EncodingTags
}

type Options = { isFast: boolean }

/** Returns all files of the site. */
export async function siteFiles(server?: string): Promise<SiteFile[]> {
  const document = JSON.parse(await readFile('generated/openapi.json', 'utf8')) as Document
  const style = hashedFile('/docs/assets/style.css', readAsset('style.css'))
  const icon = hashedFile('/docs/assets/icon.svg', readAsset('icon.svg'))
  const assets: Assets = { style: style.path, icon: icon.path }
  const guides = await readGuides(document)
  const pages = guides.map((guide) => renderGuide(guide, guides, assets))
  const documents = await Promise.all(DOCUMENTS.map((name) => readDocument(name)))
  return [
    style,
    icon,
    renderChooser(guides, assets),
    ...pages,
    ...documents,
    ...(await referenceFiles(document, guides, assets, server)),
  ]
}

/** Writes the site with its compressed files, and a list of them for the service. */
export async function buildSite(directory: string, { isFast }: Options): Promise<void> {
  const files = await siteFiles()
  const served: Served[] = []
  const kept = new Set<string>()
  for (const { path, body, isHashed } of files) {
    const target = join(directory, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, body)
    const quality: Quality = isFast || !isHashed ? 'fast' : 'best'
    const encodings = await compress(target, body, { quality, isHashed })
    served.push({ path, type: mediaTypeAt(path), isHashed, tags: encodingTags(body, [...encodings, 'identity']) })
    kept.add(target)
  }
  await removeOthers(directory, kept)
  await writeFile(join(directory, 'site.json'), JSON.stringify(served, null, 1))
}

/** The JSON document is served without its indentation. */
async function readDocument(name: string): Promise<SiteFile> {
  const text = await readFile(join('generated', name), 'utf8')
  return fixedFile(`/${name}`, name.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text)
}

function readAsset(name: string): string {
  return readFileSync(join('scripts/site/assets', name), 'utf8')
}

/** Removes the pages and assets of earlier builds. */
async function removeOthers(directory: string, kept: ReadonlySet<string>): Promise<void> {
  const { readdir } = await import('node:fs/promises')
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !kept.has(path.replace(/\.(br|gz|best)$/, ''))) await rm(path)
  }
}
