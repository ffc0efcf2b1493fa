// Counts the glue of pages: all lines of client.ts, and every line elsewhere that sends requests, reads errors, handles
// tokens, or encodes forms and files. Fails at 6 % of the code without translations, or at the share that is given:
//
//   npm run glue [-- <folder> <share>]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = 'pages', shareMax = 0.06] = process.argv.slice(2)
const GLUE = [
  /\bfetch\(|XMLHttpRequest|\bheaders\b|authorization|bearer/i, // requests
  /catch \(error|TawthiqError|error\.\w+|\bcode ===|entries\(fields\)/, // errors
  /localStorage|refresh_?token|\btoken\b|readLink|onSession/i, // tokens
  /FormData|content\.(has|set)|JSON\.|new Blob|ObjectURL|onProgress/, // forms and files
]
const IS_CODE = /^\s*(?!\/\/|\/?\*)\S/

const files = readdirSync(folder, { recursive: true }).filter((path) => /\.tsx?$/.test(path))
const lines = files.flatMap((path) =>
  readFileSync(join(folder, path), 'utf8')
    .split('\n')
    .filter((line) => IS_CODE.test(line))
    .map((line) => ({ path, line })),
)
// the sentences and labels of the page are no code
const code = lines.filter(({ path }) => !path.startsWith('texts'))
const glue = code.filter(({ path, line }) => path === 'client.ts' || GLUE.some((pattern) => pattern.test(line)))
const share = glue.length / code.length
console.log(`${glue.length} of ${code.length} lines are glue: ${(100 * share).toFixed(1)} %`)
process.exit(share < Number(shareMax) ? 0 : 1)
