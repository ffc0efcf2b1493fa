import { readFileSync } from 'node:fs'

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

/** Returns whether a version such as 0.3.0 or 0.3.0-dev comes before another one. A pre-release counts as its release. */
export function isBefore(version: string, other: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(other)]
  const at = numbers.findIndex((number, index) => number !== others[index])
  return at >= 0 && (numbers[at] ?? 0) < (others[at] ?? 0)
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  return numbers.map(Number)
}
