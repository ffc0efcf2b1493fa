// Writes generated/ with the client of Prisma, sdk/src/generated/, .env.example and the generated sections of docs/ from openapi/,
// src/config/, src/lib/ and prisma/schema.prisma.
// With --check it writes nothing and fails if a file is stale. In both cases the sources and the document must lint, and texts
// without an Arabic translation in openapi/ar, and translations of texts that have changed, are listed as warnings;
// --no-lint skips the linters, which take half of the time.
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { generateCode } from './generate/code.ts'
import { renderColumns } from './generate/columns.ts'
import { readDocument } from './generate/document/document.ts'
import { deriveOpenapi30 } from './generate/openapi-3.0/index.ts'
import { publish } from './generate/document/publish.ts'
import { compareTranslations, readTranslations } from './generate/document/translations.ts'
import { generateSdk } from './generate/sdk.ts'
import { fillPages, renderExampleEnvironment } from './generate/tables.ts'

const check = process.argv.includes('--check')
const lints = !process.argv.includes('--no-lint')
if (!check) execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { stdio: 'ignore' })
const sources = await readDocument().catch(explain)
const { document } = sources
const published = publish(document)
const generated: Record<string, string> = {
  'openapi.json': JSON.stringify(published, null, 2),
  'openapi-3.0.json': JSON.stringify(deriveOpenapi30(published), null, 2),
  ...(await generateCode(sources).catch(explain)),
  'columns.ts': renderColumns(await readFile('prisma/schema.prisma', 'utf8')),
}
const files: Record<string, string> = {
  ...Object.fromEntries(Object.entries(generated).map(([name, text]) => [`generated/${name}`, text])),
  ...(await generateSdk(published)),
  '.env.example': renderExampleEnvironment(),
  ...fillPages(sources.rateLimits),
}

const stale: string[] = []
await mkdir('generated', { recursive: true })
for (const [path, text] of Object.entries(files)) {
  const formatted = await formatAs(path, text)
  if ((await readFile(path, 'utf8').catch(() => '')) === formatted) continue
  stale.push(path)
  if (!check) await writeFile(path, formatted)
}
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run npm run generate.`)
  process.exit(1)
}

await warnOfTranslations()
if (lints) await refuseProblems()
const lintResult = lints ? ' The sources and the documents have no lint problems.' : ''
console.log(
  `${check || stale.length === 0 ? 'All generated files are up to date.' : `Written: ${stale.join(', ')}.`}${lintResult}`,
)

/** An Error says what a source needs; other errors are faults of the generator. */
function explain(error: Error): never {
  console.error(error.constructor === Error ? error.message : error)
  process.exit(1)
}

async function warnOfTranslations(): Promise<void> {
  const { missing, stale } = compareTranslations(sources.texts, await readTranslations())
  for (const text of missing) console.warn(`Warning: openapi/ar has no translation of: ${text}`)
  for (const text of stale) console.warn(`Warning: openapi/ar translates a text that the sources do not have: ${text}`)
}

/** The linters take seconds to load, and are loaded only when they are used. */
async function refuseProblems(): Promise<void> {
  const { lint, lintDerived, lintSources } = await import('./generate/lint.ts')
  const found = [
    await lintSources(),
    await lint('generated/openapi.json'),
    await lintDerived('generated/openapi-3.0.json'),
  ]
  const problems = found.flat()
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}

async function formatAs(path: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(path)
  return inferredParser ? format(text, { ...(await resolveConfig(path)), filepath: path }) : text
}
