// Runs the flows of openapi/flows against a new development service, and checks each response against the document. Fails if a
// step fails.
import { readdirSync } from 'node:fs'
import { REDOCLY } from './breaking/diff.ts'
import { openReceiver } from './load/parts.ts'
import { startInstance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'
import { run } from './sdks/command.ts'

const FOLDER = 'openapi/flows'
/** This flow changes the password of the demo account that others use. */
const LAST = 'password-reset.arazzo.yaml'
const TIMEOUT_MS = 300_000

await runSession('flows', runFlows)

/** Returns whether all steps succeed. The events of the service are delivered. */
async function runFlows(session: Session): Promise<boolean> {
  const variables = {
    EVENTS_WEBHOOK_URL: await openReceiver(session),
    EVENTS_WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 'flows').toString('base64')}`,
    LOG_LEVEL: 'error',
  }
  const { origin } = await startInstance(session, { variables, isManaged: false })
  const others = readdirSync(FOLDER).filter((name) => name.endsWith('.arazzo.yaml') && name !== LAST)
  const paths = [...others, LAST].map((name) => `${FOLDER}/${name}`)
  const args = [REDOCLY.command, 'respect', ...paths, '--server', `tawthiq=${origin}`]
  const { code, output } = await run(process.execPath, args, { cwd: '.', env: REDOCLY.env, timeout: TIMEOUT_MS })
  console.log(output)
  return code === 0
}
