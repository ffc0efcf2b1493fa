import { readFile, writeFile } from 'node:fs/promises'

/** The columns of all sets. An id never changes its meaning; a row is retired, never removed. */
export type Row = {
  id: number
  name_ar: string
  name_en: string
  /** Only on rows that cannot be chosen any more */
  active?: false
}

export async function readRows<R extends Row>(set: string): Promise<R[]> {
  // a committed file that tests validate
  return JSON.parse(await readFile(rowsPath(set), 'utf8')) as R[]
}

/** One row a line, so that a diff shows rows. */
export async function writeRows(set: string, rows: readonly Row[]): Promise<void> {
  const lines = rows.toSorted((a, b) => a.id - b.id).map((row) => `  ${formatRow(row)}`)
  await writeFile(rowsPath(set), `[\n${lines.join(',\n')}\n]\n`)
}

/** The fresh rows, and after them those of before that are no longer among them, retired. */
export function mergeRows<R extends Row>(before: readonly R[], fresh: readonly R[]): R[] {
  const retired = new Set(before.filter(({ active }) => active === false).map(({ id }) => id))
  const present = new Set(fresh.map(({ id }) => id))
  return [
    ...fresh.map((row) => (retired.has(row.id) ? { ...row, active: false as const } : row)),
    ...before.filter(({ id }) => !present.has(id)).map((row) => ({ ...row, active: false as const })),
  ]
}

export function isActive({ active }: Row): boolean {
  return active !== false
}

function formatRow(row: Row): string {
  const members = Object.entries(row).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{ ${members.join(', ')} }`
}

function rowsPath(set: string): string {
  return `prisma/reference/${set}.json`
}
