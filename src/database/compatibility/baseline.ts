import { readFileSync } from 'node:fs'
import type { Schema } from './schema.ts'

/** The database of the last release, as its migrations make it */
export type Baseline = Readonly<{
  version: string
  migrations: readonly string[]
  /** Without columns that no statement of the release uses */
  schema: Schema
}>

const FILE = new URL('../../../../prisma/released/schema.json', import.meta.url)

export function readBaseline(file = FILE): Baseline {
  return JSON.parse(readFileSync(file, 'utf8')) as Baseline
}
