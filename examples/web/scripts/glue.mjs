// Counts the glue: the lines that adapt the SDK to this page. They are all lines of src/client.ts, and every line
// elsewhere that sends requests, reads errors, handles tokens, or encodes forms and files. Fails at 5 % of the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SHARE_MAX = 0.05
const ADAPTER = 'client.ts'
const GLUE = [
  /\bfetch\(|XMLHttpRequest|\bheaders\b|authorization|bearer/i, // requests
  /catch \(error|TawthiqError|error\.\w+|\bcode ===|entries\(fields\)/, // errors
  /localStorage|refresh_?token|\btoken\b|readLink|onSession/i, // tokens
  /FormData|content\.(has|set)|JSON\.|new Blob|ObjectURL|onProgress/, // forms and files
]
const IS_CODE = /^\s*(?!\/\/|\/?\*)\S/
const folder = new URL('../src/', import.meta.url).pathname

const files = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.ts'))
const lines = files.flatMap((path) =>
  readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .filter((line) => IS_CODE.test(line))
    .map((line) => ({ path, line })),
)
// the sentences and labels of the page are no code
const code = lines.filter(({ path }) => !path.startsWith('texts'))
const glue = code.filter(({ path, line }) => path === ADAPTER || GLUE.some((pattern) => pattern.test(line)))
const share = glue.length / lines.length
if (process.argv.includes('--list')) for (const { path, line } of glue) console.log(`${path}: ${line.trim()}`)
const percent = (all) => `${((100 * glue.length) / all.length).toFixed(1)} %`
console.log(`${glue.length} of ${lines.length} lines are glue: ${percent(lines)}; without texts ${percent(code)}`)
process.exit(share < SHARE_MAX ? 0 : 1)
