// Inspecting a PDF of 10 MB takes up to two seconds of CPU time, so it runs in its own thread.
import { readFileSync } from 'node:fs'
import { findPdfFault, type PdfFault } from './active-content.ts'
import type { Pool } from './object-reader.ts'

/** After that, the thread ends, because it would hold the memory until its next file. */
const REUSE_BYTES_MAX = 2 * 1024 * 1024
const REUSE_POOL_MAX = 400_000

export type PdfFinding = Readonly<{ fault: PdfFault | undefined; isSpent: boolean }>

const pool: Pool = { values: new Set(), size: 0 }

Object.assign(console, { warn: () => undefined }) // the parser reports each large number

export default function run(path: string): PdfFinding {
  const file = readFileSync(path)
  const fault = findPdfFault(file, pool)
  return { fault, isSpent: file.length > REUSE_BYTES_MAX || pool.size > REUSE_POOL_MAX }
}
