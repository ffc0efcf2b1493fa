// Writes generated/ and the tables of README.md from openapi/ and src/environment.ts.
// With --check it writes nothing, and fails when a file is stale. Either way the document must lint.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { stringify } from 'yaml'
import { codeOf } from './generate/code.ts'
import { readDocument } from './generate/document.ts'
import { lint } from './generate/lint.ts'

const check = process.argv.includes('--check')
const { document, limits } = await readDocument()
const files: Record<string, string> = {
  'openapi.json': JSON.stringify(document, null, 2),
  'openapi.yaml': stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
  ...(await codeOf(document, limits)),
}

const stale: string[] = []
await mkdir('generated', { recursive: true })
for (const [name, text] of Object.entries(files)) {
  const path = `generated/${name}`
  const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path })
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
