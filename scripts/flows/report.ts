import { markdownTable } from '../generate/markdown.ts'

const HEADINGS = ['', 'Flow', 'Steps', 'Checks', 'Time']

export type Flow = Readonly<{
  name: string
  steps: number
  checks: number
  milliseconds: number
  /** The steps that failed, with their reason */
  failures: string[]
}>

/** Returns a table of the flows, with the reasons of failures below. */
export function formatFlows(flows: readonly Flow[]): string {
  const rows = flows.map(({ name, steps, checks, milliseconds, failures }) => [
    failures.length > 0 ? 'FAILED' : 'ok',
    name,
    steps,
    checks,
    `${(milliseconds / 1000).toFixed(1)} s`,
  ])
  const table = markdownTable(HEADINGS, rows)
  const reasons = flows.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`))
  const failed = flows.filter(({ failures }) => failures.length > 0).length
  return [table, ...reasons, `${flows.length - failed} flows passed, ${failed} failed`].join('\n')
}
