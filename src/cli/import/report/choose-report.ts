import { CommandError } from '../../errors.ts'
import type { ImportState } from '../../../domain/import.ts'
import type { Options } from '../arguments.ts'
import { newReport, oldReport, type Report } from './index.ts'

type ImportOptions = Extract<Options, { name: 'import' }>

/** A report, and the offset of its next row. */
export type ReportTarget = Readonly<{ report: Report; bytes: number }>

/**
 * Opens the report of an import: next to the file, unless the operator or an earlier run chose another path. A dry run has its own
 * report.
 *
 * @throws CommandError if it cannot be written, or the report of an earlier run no longer exists
 */
export async function chooseReport(options: ImportOptions, { report: before }: ImportState): Promise<ReportTarget> {
  if (options.isDryRun) {
    const path = options.report ?? `${options.file}.dry-run.rejected.jsonl`
    if (path === before?.path)
      throw new CommandError(`${path} is the report of the import. Choose another path for the dry run with --report.`)
    return { report: await newReport(path), bytes: 0 }
  }
  if (before && (options.report === undefined || options.report === before.path)) {
    return { report: await oldReport(before.path, before.bytes), bytes: before.bytes }
  }
  return { report: await newReport(options.report ?? `${options.file}.rejected.jsonl`), bytes: 0 }
}
