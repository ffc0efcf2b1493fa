// Notes which statuses of which operations the suite has seen; scripts/test.mjs counts them at the end.
import { appendFileSync } from 'node:fs'

const seen = new Set<string>()

export function notePair(operationId: string, status: number): void {
  const pair = `${operationId} ${status}`
  const folder = process.env['PAIRS_DIR']
  if (folder === undefined || seen.has(pair)) return
  seen.add(pair)
  appendFileSync(`${folder}/${process.pid}`, `${pair}\n`)
}
