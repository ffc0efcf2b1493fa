import { extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Misuse } from '../command-line/errors.ts'

export type Format = 'csv' | 'jsonl'

/** What the operator wants done. Paths are absolute. */
export type Order =
  | Readonly<{ name: 'help' }>
  | Readonly<{ name: 'import'; file: string; format: Format; report: string | undefined; isDryRun: boolean }>

const FORMATS: Readonly<Record<string, Format>> = { csv: 'csv', jsonl: 'jsonl', ndjson: 'jsonl' }

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  'dry-run': { type: 'boolean' },
  report: { type: 'string' },
  format: { type: 'string' },
} as const

/**
 * Reads what stands behind the name of the program.
 *
 * @throws Misuse that says what is wrong with it
 */
export function orderOf(given: readonly string[]): Order {
  const { positionals, values } = parsed(given)
  const [name, ...rest] = positionals
  if (values.help || name === 'help') return { name: 'help' }
  if (name === undefined) throw new Misuse('A file is missing.')
  if (rest.length > 0) throw new Misuse(`One file is imported at a time, but here is ${rest.join(' ')} too.`)

  const file = resolve(name)
  const report = values.report === undefined ? undefined : resolve(values.report)
  if (report === file) throw new Misuse('The report cannot be the file that is imported.')
  return { name: 'import', file, format: formatOf(name, values.format), report, isDryRun: values['dry-run'] ?? false }
}

function parsed(
  given: readonly string[],
): ReturnType<typeof parseArgs<{ allowPositionals: true; options: typeof OPTIONS }>> {
  try {
    return parseArgs({ args: [...given], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new Misuse((error as Error).message.split('. ')[0], { cause: error })
  }
}

function formatOf(file: string, given: string | undefined): Format {
  const format = FORMATS[given ?? extname(file).slice(1).toLowerCase()]
  if (format) return format
  throw new Misuse(
    given === undefined
      ? `The ending of ${file} does not say what it is. Add --format csv or --format jsonl.`
      : `There is no format ${given}: it is csv or jsonl.`,
  )
}
