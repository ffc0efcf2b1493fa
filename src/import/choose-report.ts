import { Impossible } from '../command-line/errors.ts'
import type { ImportState } from '../domain/import.ts'
import type { Order } from './arguments.ts'
import { newReport, oldReport, type Report } from './report.ts'

type ImportOrder = Extract<Order, { name: 'import' }>

/** A report, and where the next row belongs in it. */
export type Place = Readonly<{ report: Report; bytes: number }>

/**
 * The report of an import: next to its file, unless the operator or an earlier run has said otherwise. A dry run has one
 * of its own.
 *
 * @throws Impossible when it cannot be written, or the one of an earlier run is not there any more
 */
export async function chooseReport(order: ImportOrder, { report: before }: ImportState): Promise<Place> {
  if (order.isDryRun) {
    const path = order.report ?? `${order.file}.dry-run.refused.jsonl`
    if (path === before?.path) throw new Impossible(`${path} is the report of the import itself.`)
    return { report: await newReport(path), bytes: 0 }
  }
  if (before && (order.report === undefined || order.report === before.path)) {
    return { report: await oldReport(before.path, before.bytes), bytes: before.bytes }
  }
  return { report: await newReport(order.report ?? `${order.file}.refused.jsonl`), bytes: 0 }
}
