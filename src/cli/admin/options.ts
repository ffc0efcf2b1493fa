import { parseArgs } from 'node:util'
import { UsageError } from '../errors.ts'
import type { Command } from './command.ts'

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  prepare: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  max: { type: 'string' },
  yes: { type: 'boolean' },
  failed: { type: 'boolean' },
  retry: { type: 'boolean' },
  hours: { type: 'string' },
  'request-id': { type: 'string' },
  address: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const

/** The commands of each option */
const OPTION_COMMANDS = {
  prepare: ['rotate-keys'],
  'dry-run': ['sweep-files'],
  max: ['sweep-files'],
  yes: ['adopt-files', 'enable-feature'],
  failed: ['mails'],
  retry: ['mails'],
  hours: ['sms'],
  'request-id': ['audit'],
  address: ['audit'],
  since: ['audit'],
  until: ['audit'],
} as const satisfies Partial<Record<keyof typeof OPTIONS, readonly Command['name'][]>>

export type Options = {
  help?: boolean
  prepare?: boolean
  'dry-run'?: boolean
  max?: string
  yes?: boolean
  failed?: boolean
  retry?: boolean
  hours?: string
  'request-id'?: string
  address?: string
  since?: string
  until?: string
}

/** @throws UsageError for an unknown option or a missing value */
export function parseWords(given: readonly string[]): { words: string[]; options: Options } {
  try {
    const { positionals, values } = parseArgs({ args: [...given], allowPositionals: true, options: OPTIONS })
    return { words: positionals, options: values }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error })
  }
}

/** @throws UsageError for an option of another command */
export function rejectForeignOptions(name: string | undefined, options: Options): void {
  for (const [option, commands] of Object.entries<readonly string[]>(OPTION_COMMANDS)) {
    if (Object.hasOwn(options, option) && !commands.includes(name ?? ''))
      throw new UsageError(`The option --${option} is only valid with ${commands.join(' and ')}.`)
  }
}
