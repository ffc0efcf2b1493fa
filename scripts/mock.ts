// Runs a mock server of the API, which responds with the examples of the document. It needs no database, and keeps no
// state. See docs/mock.md.
//
//   npm run mock                 at http://localhost:4010
//   npm run mock -- --port 5000  at another port
//   npm run mock -- --check      starts it, checks its responses, and ends
import { at127, freePort, startPart } from './load/parts.ts'
import { checkMock } from './mock/check.ts'
import { readOptions } from './options.ts'
import { DOCUMENTS, openFolder } from './sdks/folder.ts'

const { port, check } = readOptions('npm run mock --', { port: 4010, check: false })
const mock = await startMock(check ? undefined : port)
if (check) {
  const problems = await checkMock(mock.origin).finally(mock.close)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'The mock server responds as documented.' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
} else {
  console.log(`The mock server listens at ${mock.origin}. Stop it with Ctrl-C.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void mock.close())
}

/** Starts Prism with the OpenAPI 3.0 edition of the document: with the 3.1 document it rejects valid forms with files. */
async function startMock(port?: number): Promise<{ origin: string; close: () => Promise<void> }> {
  const folder = await openFolder('prism')
  const at = port ?? (await freePort()) // after the installation, which takes long
  const args = ['mock', DOCUMENTS['3.0'], '--port', String(at), '--host', '127.0.0.1', '--errors=false']
  const program = `${folder}/node_modules/@stoplight/prism-cli/dist/index.js`
  const part = await startPart(process.execPath, [program, ...args], at)
  return { origin: at127(at), close: () => part.stop('SIGKILL') }
}
