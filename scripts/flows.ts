// Runs the flows of openapi/flows against a new development service, and prints a table. Fails if a step fails.
import { readdirSync } from 'node:fs'
import { formatFlows } from './flows/report.ts'
import { runFlows } from './flows/respect.ts'
import { openService } from './flows/service.ts'

const FOLDER = 'openapi/flows'
/** This flow changes the password of the demo account that others use. */
const LAST = 'password-reset.arazzo.yaml'

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.arazzo.yaml'))
const ordered = [...files.filter((name) => name !== LAST), ...files.filter((name) => name === LAST)]
const service = await openService()
try {
  const { flows, output } = await runFlows(
    ordered.map((name) => `${FOLDER}/${name}`),
    service.origin,
  )
  const isComplete = flows.length === files.length
  if (!isComplete) console.error(output)
  console.log(formatFlows(flows))
  process.exitCode = isComplete && flows.every(({ failures }) => failures.length === 0) ? 0 : 1
} finally {
  await service.close()
}
