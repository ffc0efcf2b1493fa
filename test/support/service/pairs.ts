// Records the pairs of operation and status that the suite covers. scripts/test.mjs counts them at the end.
import { appendFileSync } from 'node:fs'

const seen = new Set<string>()

export function notePair(operationId: string, status: number): void {
  const pair = `${operationId} ${status}`
  const directory = process.env['PAIRS_DIR']
  if (directory === undefined || seen.has(pair)) return
  seen.add(pair)
  appendFileSync(`${directory}/${process.pid}`, `${pair}\n`)
}
