import { extname, resolve } from 'node:path'
import { parseArguments, UsageError } from '../program.ts'

export type Format = 'csv' | 'jsonl'

/** A parsed command line. Paths are absolute. */
export type ImportOptions = Readonly<{
  file: string
  format: Format
  report: string | undefined
  isDryRun: boolean
}>

const FORMATS: Readonly<Record<string, Format>> = { csv: 'csv', jsonl: 'jsonl', ndjson: 'jsonl' }

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  'dry-run': { type: 'boolean' },
  report: { type: 'string' },
  format: { type: 'string' },
} as const

/**
 * Parses the command-line arguments. Returns undefined if they request the help.
 *
 * @throws UsageError that explains the problem
 */
export function parseOptions(args: readonly string[]): ImportOptions | undefined {
  const { positionals, values } = parseArguments({ args: [...args], allowPositionals: true, options: OPTIONS })
  const [name, ...rest] = positionals
  if (values.help || name === 'help') return undefined
  if (name === undefined) throw new UsageError('No file was given.')
  if (rest.length > 0) throw new UsageError(`Import one file at a time. Unexpected arguments: ${rest.join(' ')}.`)

  const file = resolve(name)
  const report = values.report === undefined ? undefined : resolve(values.report)
  if (report === file) throw new UsageError('The report and the imported file must be different files.')
  return {
    file,
    format: chooseFormat(name, values.format),
    report,
    isDryRun: values['dry-run'] ?? false,
  }
}

function chooseFormat(file: string, given: string | undefined): Format {
  const format = FORMATS[given ?? extname(file).slice(1).toLowerCase()]
  if (format) return format
  throw new UsageError(
    given === undefined
      ? `The format of ${file} is not known from its extension. Add --format csv or --format jsonl.`
      : `Unknown format: ${given}. Use csv or jsonl.`,
  )
}
