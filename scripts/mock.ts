// Runs a mock server of the API, which responds with the examples of the document. It needs no database, and keeps no
// state. See docs/mock.md.
//
//   npm run mock                 at http://localhost:4010
//   npm run mock -- --port 5000  at another port
//   npm run mock -- --check      starts it, checks its responses, and ends
import { checkMock } from './mock/check.ts'
import { startMock } from './mock/prism.ts'
import { readOptions } from './options.ts'

const { port, check } = readOptions('npm run mock --', { port: 4010, check: false })
if (check) {
  const mock = await startMock()
  const problems = await checkMock(mock.origin).finally(mock.close)
  for (const problem of problems) console.error(problem)
  console.log(problems.length === 0 ? 'The mock server responds as documented.' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
} else {
  const mock = await startMock(port)
  console.log(`The mock server listens at ${mock.origin}. Stop it with Ctrl-C.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void mock.close())
}
