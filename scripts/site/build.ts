import { build } from 'esbuild'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { stringify } from 'yaml'
import { encodingTags, type EncodingTags } from '../../src/http/reply/encodings.ts'
import type { Language } from '../../src/messages/index.ts'
import { BASELINE } from '../breaking/files.ts'
import { readDocument as readSources } from '../generate/document/document.ts'
import { publish } from '../generate/document/publish.ts'
import { accountFiles } from './account.ts'
import { changelogFiles } from './changelog.ts'
import { ASSETS, fixedFile, hashedFile, mediaTypeAt, readAsset, type SiteFile } from './files.ts'
import { LANGUAGES, type Guide } from './guide-names.ts'
import { readGuides } from './guides.ts'
import { llmsFiles } from './llms.ts'
import { renderChooser, renderGuide, renderNotFound } from './page.ts'
import { searchIndex } from './search.ts'
import type { Assets } from './shell.ts'
import { renderReferences, type PublishedDocument } from './reference.ts'

export const SITE_DIRECTORY = 'dist/site'

/** A file as the service serves it */
export type Served = {
  path: string
  type: string
  isHashed: boolean
  /** The entity tag of each content encoding that exists */
  tags: EncodingTags
}

/** Brotli's best takes 12 s for the script of the reference, for 13 % fewer bytes than its fast one. */
type Quality = 'fast' | 'best'

const BROTLI = { fast: 5, best: 11 } as const
const BYTES_MIN = 1024

/** Returns all files of the site. */
async function siteFiles(server?: string): Promise<SiteFile[]> {
  const document = await readJson<PublishedDocument>('generated/openapi.json')
  const arabic = publish((await readSources('openapi', 'ar')).document) as PublishedDocument
  const documents = { en: document, ar: arabic }
  const guides = await readGuides(documents)
  const { assets, files: assetFiles } = await buildAssets(documents, guides, server)
  const derived = await readJson<object>('generated/openapi-3.0.json')
  return [
    ...assetFiles,
    renderChooser(guides, assets),
    ...guides.map((guide) => renderGuide(guide, guides, assets)),
    ...LANGUAGES.map((language) => renderNotFound(language, guides, assets)),
    fixedFile('/openapi.json', JSON.stringify(document)),
    fixedFile('/openapi.yaml', stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })),
    fixedFile('/openapi-3.0.json', JSON.stringify(derived)),
    ...renderReferences({ present: document, arabic, released: await readJson(BASELINE) }, assets),
    ...changelogFiles(await readFile('CHANGELOG.md', 'utf8'), assets),
    ...llmsFiles(guides),
  ]
}

async function buildAssets(
  documents: Readonly<Record<Language, PublishedDocument>>,
  guides: readonly Guide[],
  server?: string,
): Promise<{ assets: Assets; files: SiteFile[] }> {
  const asset = (name: string, text: string): SiteFile => hashedFile(`/docs/assets/${name}`, text)
  const style = asset('style.css', readAsset('style.css'))
  const icon = asset('icon.svg', readAsset('icon.svg'))
  const theme = asset('theme.js', await bundleScript('theme.js'))
  const search = asset('search.js', await bundleScript('search.js'))
  const attempt = asset('try.js', await bundleScript('try.js'))
  const [en, ar] = LANGUAGES.map((language) =>
    asset(`search-${language}.json`, searchIndex(language, guides, documents[language])),
  ) as [SiteFile, SiteFile]
  const nameOf = ({ path }: SiteFile): string => basename(path)
  const names = { search: nameOf(search), try: nameOf(attempt), index: { en: nameOf(en), ar: nameOf(ar) } }
  const script = asset('site.js', await bundleScript('site.js', { FILES: JSON.stringify(names) }))
  const paths = { style: style.path, icon: icon.path, theme: theme.path, script: script.path }
  return {
    assets: { ...paths, ...(server !== undefined && { server }) },
    files: [style, icon, theme, script, search, attempt, en, ar],
  }
}

/** Returns a script of the pages with the packages that it imports. */
async function bundleScript(name: string, define: Record<string, string> = {}): Promise<string> {
  const entryPoints = [join(ASSETS, name)]
  const { outputFiles } = await build({ entryPoints, define, bundle: true, format: 'esm', minify: true, write: false })
  return outputFiles.map(({ text }) => text).join('')
}

/** Writes the site with its compressed files, and a list of them for the service. */
export async function buildSite(directory: string, { isFast }: { isFast: boolean }): Promise<void> {
  const files = [...(await siteFiles()), ...(await accountFiles())]
  const served: Served[] = []
  const kept = new Set<string>()
  for (const { path, body, isHashed } of files) {
    const target = await writeBelow(directory, path, body)
    const quality: Quality = isFast || !isHashed ? 'fast' : 'best'
    const encodings = await compress(target, body, { quality, isHashed })
    served.push({ path, type: mediaTypeAt(path), isHashed, tags: encodingTags(body, [...encodings, 'identity']) })
    kept.add(target)
  }
  await removeOthers(directory, kept)
  await writeFile(join(directory, 'site.json'), JSON.stringify(served, null, 1))
}

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content
}

/** Writes the site for any web server, and returns the number of files. `server` is the URL of the service. */
export async function exportSite(directory: string, server?: string): Promise<number> {
  const files = await siteFiles(server === undefined ? undefined : new URL(server).href.replace(/\/$/, ''))
  for (const { path, body } of files) await writeBelow(directory, path, body)
  return files.length
}

/** Writes a file of the site, and returns its path. */
async function writeBelow(directory: string, path: string, body: Buffer): Promise<string> {
  const target = join(directory, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, body)
  return target
}

/** Removes the pages and assets of earlier builds. */
async function removeOthers(directory: string, kept: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !kept.has(path.replace(/\.(br|gz|best)$/, ''))) await rm(path)
  }
}

/**
 * Writes `<file>.br` and `<file>.gz`, and returns the encodings. A file with a hash in its name is compressed once: it
 * is compressed again only for a better quality.
 */
async function compress(
  path: string,
  body: Buffer,
  { quality, isHashed }: { quality: Quality; isHashed: boolean },
): Promise<('br' | 'gzip')[]> {
  if (body.length < BYTES_MIN) return []
  const mark = `${path}.best`
  const isDone = existsSync(`${path}.br`) && existsSync(`${path}.gz`) && (quality === 'fast' || existsSync(mark))
  if (!isHashed || !isDone) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI[quality],
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    }
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(body, { params }),
      promisify(gzip)(body, { level: 9 }),
    ])
    await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    await (isHashed && quality === 'best' ? writeFile(mark, '') : rm(mark, { force: true }))
  }
  return ['br', 'gzip']
}
