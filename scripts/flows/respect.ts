import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Flow } from './report.ts'

/** What `redocly respect` writes about a file */
type Results = { executedWorkflows: { totalTimeMs: number; executedSteps: Step[] }[] }
type Step = { stepId: string; checks: Check[]; response?: { statusCode: number; body: unknown } }
type Check = { name: string; status: string; condition?: string; message: string }

const COMMAND = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' }
const TIMEOUT_MS = 300_000

/**
 * Runs flows against a service. Each response is also checked against the document.
 *
 * @param origin the origin of the service
 * @param folder where the report is written
 */
export async function runFlows(
  files: readonly string[],
  origin: string,
  folder: string,
): Promise<{ flows: Flow[]; output: string }> {
  const report = join(folder, 'report.json')
  const args = [COMMAND, 'respect', ...files, '--server', `tawthiq=${origin}`, '--json-output', report]
  const options = { env: { ...process.env, ...QUIET }, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 }
  const output = await promisify(execFile)(process.execPath, args, options).catch((failure: unknown) => failure)
  const { stdout = '', stderr = '' } = output as { stdout?: string; stderr?: string }
  return { flows: await readReport(report), output: stdout + stderr }
}

async function readReport(path: string): Promise<Flow[]> {
  const text = await readFile(path, 'utf8').catch(() => '{ "files": {} }') // without a report, the output has the reason
  const { files } = JSON.parse(text) as { files: Record<string, Results> }
  return Object.entries(files).map(([file, { executedWorkflows }]) => {
    const steps = executedWorkflows.flatMap(({ executedSteps }) => lastAttempts(executedSteps))
    return {
      name: basename(file, '.arazzo.yaml'),
      steps: steps.length,
      checks: steps.reduce((sum, { checks }) => sum + checks.length, 0),
      milliseconds: executedWorkflows.reduce((sum, { totalTimeMs }) => sum + totalTimeMs, 0),
      failures: steps.flatMap(failuresIn),
    }
  })
}

/** Drops the attempts that were retried, as a flow permits. */
function lastAttempts(steps: readonly Step[]): Step[] {
  return [...new Map(steps.map((step) => [step.stepId, step])).values()]
}

function failuresIn({ stepId, checks, response }: Step): string[] {
  const failed = checks.filter(({ status }) => status !== 'success')
  return failed.map(({ name, condition, message }) => {
    const received = response ? ` (received ${response.statusCode} ${JSON.stringify(response.body)})` : ''
    return `${stepId}: ${name}: ${condition ?? message}${received}`
  })
}
