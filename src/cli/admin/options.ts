import type { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import { parseArguments } from '../program.ts'
import type { Command } from './command.ts'

type Option = Readonly<{ type: 'boolean' | 'string'; short?: string; commands?: readonly Command['name'][] }>

/** The options, with the commands that accept them; all accept `help` */
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  prepare: { type: 'boolean', commands: ['rotate-keys'] },
  'dry-run': { type: 'boolean', commands: ['sweep-files'] },
  max: { type: 'string', commands: ['sweep-files'] },
  yes: { type: 'boolean', commands: ['adopt-files', 'enable-feature'] },
  failed: { type: 'boolean', commands: ['mails'] },
  retry: { type: 'boolean', commands: ['mails'] },
  hours: { type: 'string', commands: ['sms'] },
  'request-id': { type: 'string', commands: ['audit'] },
  address: { type: 'string', commands: ['audit'] },
  since: { type: 'string', commands: ['audit'] },
  until: { type: 'string', commands: ['audit'] },
} as const satisfies Record<string, Option>

type Parsed = ReturnType<typeof parseArgs<{ allowPositionals: true; options: typeof OPTIONS }>>
export type Options = Parsed['values']

/** @throws UsageError for an unknown option or a missing value */
export function parseWords(args: readonly string[]): Parsed {
  return parseArguments({ args: [...args], allowPositionals: true, options: OPTIONS })
}

/** @throws UsageError for an option of another command */
export function rejectForeignOptions(name: string | undefined, options: Options): void {
  for (const [option, { commands }] of Object.entries<Option>(OPTIONS)) {
    if (commands && Object.hasOwn(options, option) && !commands.some((each) => each === name))
      throw new UsageError(`The option --${option} is only valid with ${commands.join(' and ')}.`)
  }
}
