import type { parseArgs } from 'node:util'
import { LIMITS } from '../../../generated/limits.ts'
import { KEY_KINDS, type KeyKind } from '../../adapters/keys/key-file-schema.ts'
import { cleanInput } from '../../domain/inputs.ts'
import { isCleanText, isVisibleText } from '../../domain/text.ts'
import { parseAlgorithm } from '../algorithm.ts'
import { parseArguments, UsageError } from '../program.ts'
import { parseAuditFilters } from './audit.ts'

/** Of the conversion of SMS. Older messages are deleted. */
const HOURS = { default: 24, max: LIMITS.sms.message_days * 24 }

type Option = Readonly<{ type: 'boolean' | 'string'; short?: string; commands?: readonly (keyof typeof PARSERS)[] }>

/** The options, with the commands that accept them; all accept `help` */
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  prepare: { type: 'boolean', commands: ['rotate-keys'] },
  algorithm: { type: 'string', commands: ['rotate-keys'] },
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
} as const

export type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

/** Parses what follows the name of a command. */
type Parser<Parsed> = (words: readonly string[], options: Options, name: string) => Parsed

const alone = withoutArguments(() => ({}))
const withEmail = withArguments(1, ([email], _options, name) => ({ email: parseEmail(name, email) }))
const withAccount = withArguments(1, ([account], _options, name) => ({ account: parseAccount(name, account) }))

const PARSERS = {
  list: alone,
  audit: withoutArguments((options) => ({ filters: parseAuditFilters(options) })),
  'reseal-factors': alone,
  'verify-audit': alone,
  sms: withoutArguments(({ hours }) => ({ hours: parseHours(hours) })),
  'sweep-files': withoutArguments(({ 'dry-run': isDryRun = false, max }) => ({
    isDryRun,
    orphansMax: parseCount(max),
  })),
  'adopt-files': withoutArguments(({ yes: isConfirmed = false }) => ({ isConfirmed })),
  features: alone,
  'enable-feature': withArguments(1, ([feature], { yes: isConfirmed = false }) => {
    if (feature === undefined) throw new UsageError('enable-feature requires the name of a feature.')
    return { feature, isConfirmed }
  }),
  'check-files': alone,
  mails: withoutArguments(({ failed = false, retry = false }) => {
    if (failed && retry) throw new UsageError('E-mails that have failed are not retried: their content is deleted.')
    return { action: retry ? 'retry' : failed ? 'failed' : 'waiting' } as const
  }),
  grant: withEmail,
  revoke: withEmail,
  restore: withEmail,
  'enrollment-code': withEmail,
  'verify-email': withAccount,
  'reset-factors': withAccount,
  'rotate-keys': withArguments(1, ([word], { prepare: isPreparation = false, algorithm }) => {
    const kind = parseKeyKind(word)
    if (algorithm !== undefined && kind !== 'tokens') throw new UsageError('Only keys of tokens have an --algorithm.')
    return { kind, isPreparation, ...(algorithm !== undefined && { algorithm: parseAlgorithm(algorithm) }) }
  }),
  suspend: ([email, ...words], _options, name) => ({ email: parseEmail(name, email), reason: parseReason(words) }),
} satisfies Record<string, Parser<object>>

type Parsed<Name extends keyof typeof PARSERS> = Readonly<{ name: Name } & ReturnType<(typeof PARSERS)[Name]>>

export type Command =
  Readonly<{ name: 'help' }> | { [Name in keyof typeof PARSERS]: Parsed<Name> }[keyof typeof PARSERS]

/** @throws UsageError that explains the problem */
export function parseCommand(given: readonly string[]): Command {
  const { positionals, values: options } = parseArguments({
    args: [...given],
    allowPositionals: true,
    options: OPTIONS,
  })
  const [name, ...words] = positionals
  if (options.help || name === 'help') return { name: 'help' }
  rejectForeignOptions(name, options)
  if (name === undefined) throw new UsageError('No command was given.')
  if (!Object.hasOwn(PARSERS, name)) throw new UsageError(`Unknown command: ${name}.`)
  return { name, ...PARSERS[name as keyof typeof PARSERS](words, options, name) } as Command // checked above
}

/** @throws UsageError for an option of another command */
function rejectForeignOptions(name: string | undefined, options: Options): void {
  for (const [option, { commands }] of Object.entries<Option>(OPTIONS)) {
    if (commands && Object.hasOwn(options, option) && !commands.some((each) => each === name))
      throw new UsageError(`The option --${option} is only valid with ${commands.join(' and ')}.`)
  }
}

function withoutArguments<Parsed>(build: (options: Options) => Parsed): Parser<Parsed> {
  return withArguments(0, (_words, options) => build(options))
}

/** Rejects more words than a command accepts. */
function withArguments<Parsed>(max: number, parse: Parser<Parsed>): Parser<Parsed> {
  return (words, options, name) => {
    const extra = words[max]
    if (extra !== undefined) throw new UsageError(`${name} does not accept the argument ${extra}.`)
    return parse(words, options, name)
  }
}

function parseCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--max must be a whole number, not ${text}.`)
}

function parseHours(text = String(HOURS.default)): number {
  const hours = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Infinity
  if (hours <= HOURS.max) return hours
  throw new UsageError(`--hours must be a whole number from 1 to ${HOURS.max}, not ${text}.`)
}

function parseKeyKind(word = 'tokens'): KeyKind {
  const kind = KEY_KINDS.find((each) => keyKindWord(each) === word)
  if (kind !== undefined) return kind
  throw new UsageError(`Unknown keys: ${word}. Use one of ${KEY_KINDS.map(keyKindWord).join(', ')}.`)
}

/** Returns the name of a kind of keys on the command line. */
export function keyKindWord(kind: KeyKind): string {
  return kind.replaceAll('_', '-')
}

function parseEmail(name: string, email: string | undefined): string {
  if (email !== undefined && cleanInput('email', email).includes('@')) return email
  throw new UsageError(
    email === undefined ? `${name} requires an e-mail address.` : `${email} is not an e-mail address.`,
  )
}

function parseAccount(name: string, word: string | undefined): number | string {
  if (word === undefined) throw new UsageError(`${name} requires an account id or an e-mail address.`)
  return /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : parseEmail(name, word)
}

function parseReason(words: readonly string[]): string {
  const reason = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  if (reason === '') throw new UsageError('suspend requires a reason after the e-mail address.')
  if (!isCleanText(reason)) throw new UsageError('The reason contains control characters.')
  if (!isVisibleText(reason)) throw new UsageError('The reason has no visible character.')
  const { reason_characters: max } = LIMITS.administration
  if ([...reason].length <= max) return reason
  throw new UsageError(`The reason has more than ${max} characters.`)
}
