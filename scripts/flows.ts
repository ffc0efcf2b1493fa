// Runs the flows of openapi/flows against a new development service, and prints a table. Fails if a step fails.
import { readdirSync } from 'node:fs'
import { formatFlows } from './flows/report.ts'
import { runFlows } from './flows/respect.ts'
import { openReceiver } from './load/parts.ts'
import { startInstance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'

const FOLDER = 'openapi/flows'
/** This flow changes the password of the demo account that others use. */
const LAST = 'password-reset.arazzo.yaml'

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.arazzo.yaml'))
const ordered = [...files.filter((name) => name !== LAST), ...files.filter((name) => name === LAST)]
await runSession('flows', run)

/** Returns whether all steps succeed. The events of the service are delivered. */
async function run(session: Session): Promise<boolean> {
  const variables = {
    EVENTS_WEBHOOK_URL: await openReceiver(session),
    EVENTS_WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 'flows').toString('base64')}`,
    LOG_LEVEL: 'error',
  }
  const { origin } = await startInstance(session, { variables, isManaged: false })
  const paths = ordered.map((name) => `${FOLDER}/${name}`)
  const { flows, output } = await runFlows(paths, origin, session.folder)
  const isComplete = flows.length === files.length
  if (!isComplete) console.error(output)
  console.log(formatFlows(flows))
  return isComplete && flows.every(({ failures }) => failures.length === 0)
}
