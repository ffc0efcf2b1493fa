// Writes generated/ with the client of Prisma, sdk/src/generated/, .env.example and the generated sections of docs/ from openapi/,
// src/config/, src/lib/ and prisma/schema.prisma.
// With --check it writes nothing and fails if a file is stale. In both cases the sources and the document must lint, and texts
// without an Arabic translation in openapi/ar, and translations of texts that have changed, are listed as warnings;
// --no-lint skips the linters, which take half of the time.
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { generateCode } from './generate/code.ts'
import { publish, readDocument } from './generate/document/document.ts'
import { deriveOpenapi30 } from './generate/openapi-3.0/index.ts'
import { compareTranslations, readTranslations } from './generate/document/translations.ts'
import { generateSdk } from './generate/sdk.ts'
import { fillPages, renderExampleEnvironment } from './generate/tables.ts'

const check = process.argv.includes('--check')
const lints = !process.argv.includes('--no-lint')
if (!check) execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { stdio: 'ignore' })
const sources = await readDocument().catch(explain)
const published = publish(sources.document)
const files: Record<string, string> = {
  'generated/openapi.json': JSON.stringify(published, null, 2),
  'generated/openapi-3.0.json': JSON.stringify(deriveOpenapi30(published), null, 2),
  ...(await generateCode(sources).catch(explain)),
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

const translations = compareTranslations(sources.texts, await readTranslations())
for (const text of translations.missing) console.warn(`Warning: openapi/ar has no translation of: ${text}`)
for (const text of translations.stale)
  console.warn(`Warning: openapi/ar translates a text that the sources do not have: ${text}`)
if (lints) {
  const { lint } = await import('./generate/lint.ts') // the linters take seconds to load
  const problems = await lint()
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
const result = stale.length === 0 ? 'All generated files are up to date.' : `Written: ${stale.join(', ')}.`
console.log(result + (lints ? ' The sources and the documents have no lint problems.' : ''))

/** An Error says what a source needs; other errors are faults of the generator. */
function explain(error: Error): never {
  console.error(error.constructor === Error ? error.message : error)
  process.exit(1)
}

async function formatAs(path: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(path)
  return inferredParser ? format(text, { ...(await resolveConfig(path)), filepath: path }) : text
}
