import { build } from 'esbuild'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { stringify } from 'yaml'
import { encodingTags, type EncodingTags } from '../../src/http/reply/encodings.ts'
import type { Language } from '../../src/messages/index.ts'
import { BASELINE } from '../breaking/json.ts'
import { publish, readDocument as readSources } from '../generate/document/document.ts'
import { changelogFiles } from './changelog.ts'
import { fixedFile, hashedFile, mediaTypeAt, type SiteFile } from './files.ts'
import { LANGUAGES, type Guide } from './guide-names.ts'
import { llmsFiles, readGuides } from './guides.ts'
import { renderChooser, renderGuide, renderNotFound } from './page.ts'
import { searchIndex } from './search.ts'
import type { Assets } from './shell.ts'
import { renderReferences, type PublishedDocument } from './reference.ts'

export const SITE_DIRECTORY = 'dist/site'
const ASSETS = 'scripts/site/assets'

type Served = {
  path: string
  type: string
  isHashed: boolean
  /** The entity tag of each content encoding that exists */
  tags: EncodingTags
}

/** Pages are compressed at each build, files with a hash in their names once. */
const BROTLI_QUALITY = { page: 5, hashed: 10 } as const
const BYTES_MIN = 1024

async function siteFiles(server?: string): Promise<SiteFile[]> {
  const en = await readJson<PublishedDocument>('generated/openapi.json')
  const ar = publish((await readSources('openapi', 'ar')).document) as PublishedDocument
  const documents = { en, ar }
  const guides = await readGuides(documents)
  const { assets, files: assetFiles } = await buildAssets(documents, guides, server)
  return [
    ...assetFiles,
    renderChooser(guides, assets),
    ...guides.map((guide) => renderGuide(guide, guides, assets)),
    ...LANGUAGES.map((language) => renderNotFound(language, guides, assets)),
    fixedFile('/openapi.json', JSON.stringify(en)),
    fixedFile('/openapi.yaml', stringify(en, { aliasDuplicateObjects: false, lineWidth: 0 })),
    fixedFile('/openapi-3.0.json', JSON.stringify(await readJson<object>('generated/openapi-3.0.json'))),
    ...renderReferences({ ...documents, released: await readJson(BASELINE) }, assets),
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
  const style = asset('style.css', await readFile(join(ASSETS, 'style.css'), 'utf8'))
  const icon = asset('icon.svg', await readFile(join(ASSETS, 'icon.svg'), 'utf8'))
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

async function bundleScript(name: string, define: Record<string, string> = {}): Promise<string> {
  const entryPoints = [join(ASSETS, name)]
  const { outputFiles } = await build({ entryPoints, define, bundle: true, format: 'esm', minify: true, write: false })
  return outputFiles.map(({ text }) => text).join('')
}

/** Writes the site with its compressed files, and a list of them for the service. */
export async function buildSite(directory: string): Promise<void> {
  const served: Served[] = []
  for (const file of [...(await siteFiles()), ...(await accountFiles())]) {
    const { path, body, isHashed } = file
    const target = await writeBelow(directory, path, body)
    const encodings = await compress(target, file)
    served.push({ path, type: mediaTypeAt(path), isHashed, tags: encodingTags(body, [...encodings, 'identity']) })
  }
  await removeOthers(directory, new Set(served.map(({ path }) => join(directory, path))))
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
    if (entry.isFile() && !kept.has(path.replace(/\.(br|gz)$/, ''))) await rm(path)
  }
}

/** Writes `<file>.br` and `<file>.gz`, and returns the encodings. */
async function compress(path: string, { body, isHashed }: SiteFile): Promise<('br' | 'gzip')[]> {
  if (body.length < BYTES_MIN) return []
  const isDone = isHashed && existsSync(`${path}.br`) && existsSync(`${path}.gz`)
  const quality = BROTLI_QUALITY[isHashed ? 'hashed' : 'page']
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  if (!isDone)
    await Promise.all([
      promisify(brotliCompress)(body, { params }).then((br) => writeFile(`${path}.br`, br)),
      promisify(gzip)(body, { level: 9 }).then((gz) => writeFile(`${path}.gz`, gz)),
    ])
  return ['br', 'gzip']
}

/** Returns the account pages, which the service serves at /account/: one page with one script and one style sheet. */
async function accountFiles(): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: ['pages/main.ts', 'pages/style.css'],
    outdir: 'pages',
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    minify: true,
    write: false,
  })
  const assets = outputFiles.map(({ path, text }) => hashedFile(`/account/${basename(path)}`, text))
  const page = assets.reduce(
    (text, { path }) => text.replace(`${basename(path).split('.')[0]}${extname(path)}`, basename(path)),
    await readFile('pages/index.html', 'utf8'),
  )
  return [fixedFile('/account/index.html', page), ...assets]
}
