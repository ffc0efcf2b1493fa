// The account pages, which the service serves at /account/: one page with one script and one style sheet.
import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fixedFile, hashedFile, type SiteFile } from './files.ts'

const SOURCES = 'pages'

export async function accountFiles(): Promise<SiteFile[]> {
  const { outputFiles } = await build({
    entryPoints: [`${SOURCES}/main.ts`, `${SOURCES}/style.css`],
    outdir: SOURCES,
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    minify: true,
    write: false,
  })
  const assets = outputFiles.map(({ path, text }) => hashedFile(`/account/${basename(path)}`, text))
  const page = assets.reduce(
    (text, { path }) => text.replace(`${basename(path).split('.')[0]}${extname(path)}`, basename(path)),
    await readFile(`${SOURCES}/index.html`, 'utf8'),
  )
  return [fixedFile('/account/index.html', page), ...assets]
}
