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
    `${steps} steps`,
    `${checks} checks`,
    `${(milliseconds / 1000).toFixed(1)} s`,
  ])
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)))
  const table = rows.map((row) =>
    row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  const reasons = flows.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`))
  const failed = flows.filter(({ failures }) => failures.length > 0).length
  return [...table, ...reasons, `${flows.length - failed} flows passed, ${failed} failed`].join('\n')
}
