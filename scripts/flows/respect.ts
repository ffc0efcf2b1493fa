import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { REDOCLY } from '../breaking/diff.ts'
import { run } from '../sdks/command.ts'
import type { Flow } from './report.ts'

/** What `redocly respect` writes about a file */
type Results = { executedWorkflows: { totalTimeMs: number; executedSteps: Step[] }[] }
type Step = { stepId: string; checks: Check[]; response?: { statusCode: number; body: unknown } }
type Check = { name: string; status: string; condition?: string; message: string }

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
  const args = [REDOCLY.command, 'respect', ...files, '--server', `tawthiq=${origin}`, '--json-output', report]
  const { output } = await run(process.execPath, args, { cwd: '.', env: REDOCLY.env, timeout: TIMEOUT_MS })
  return { flows: await readReport(report), output }
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
