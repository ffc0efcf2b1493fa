// Writes generated/, .env.example and the tables of README.md from openapi/ and src/config/environment.ts.
// With --check it writes nothing, and fails when a file is stale. Either way the document must lint.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { format, getFileInfo, resolveConfig } from 'prettier'
import { stringify } from 'yaml'
import { codeOf } from './generate/code.ts'
import { readDocument } from './generate/document.ts'
import { lint } from './generate/lint.ts'
import { exampleEnvironment, withTables } from './generate/tables.ts'

const check = process.argv.includes('--check')
const { document, limits } = await readDocument()
const generated: Record<string, string> = {
  'openapi.json': JSON.stringify(document, null, 2),
  'openapi.yaml': stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
  ...(await codeOf(document, limits)),
}
const files: Record<string, string> = {
  ...Object.fromEntries(Object.entries(generated).map(([name, text]) => [`generated/${name}`, text])),
  'README.md': withTables(await readFile('README.md', 'utf8'), document),
  '.env.example': exampleEnvironment(),
}

const stale: string[] = []
await mkdir('generated', { recursive: true })
for (const [path, text] of Object.entries(files)) {
  const formatted = await formattedAs(path, text)
  if ((await readFile(path, 'utf8').catch(() => '')) === formatted) continue
  stale.push(path)
  if (!check) await writeFile(path, formatted)
}
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run npm run generate.`)
  process.exit(1)
}

const problems = await lint('generated/openapi.yaml')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(check ? 'generated/ is current, and the document lints.' : `Written: ${stale.join(', ') || 'nothing new'}.`)

async function formattedAs(path: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(path)
  return inferredParser ? format(text, { ...(await resolveConfig(path)), filepath: path }) : text
}
