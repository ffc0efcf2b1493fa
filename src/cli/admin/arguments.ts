import { LIMITS } from '../../../generated/limits.ts'
import type { KeyKind } from '../../adapters/keys/key-file-schema.ts'
import { isCleanText, isVisibleText } from '../../domain/text.ts'
import { UsageError } from '../errors.ts'
import { parseAuditFilters } from './audit.ts'
import type { Command } from './command.ts'
import { parseWords, rejectForeignOptions, type Options } from './options.ts'

/** The names of the kinds of keys on the command line */
export const KEY_KINDS: Readonly<Record<KeyKind, string>> = {
  tokens: 'tokens',
  codes: 'codes',
  links: 'links',
  refresh_tokens: 'refresh-tokens',
  audit_seals: 'audit-seals',
  factors: 'factors',
}

/** Of the conversion of SMS. Older messages are deleted. */
const HOURS = { default: 24, max: LIMITS.sms.message_days * 24 }

/** The limit of the audit trail */
const REASON_LENGTH_MAX = LIMITS.administration.reason_characters

/**
 * Parses the command-line arguments.
 *
 * @throws UsageError that explains the problem
 */
export function parseCommand(given: readonly string[]): Command {
  const { positionals, values: options } = parseWords(given)
  const [name, ...rest] = positionals
  if (options.help || name === 'help') return { name: 'help' }
  rejectForeignOptions(name, options)
  if (name === undefined) throw new UsageError('No command was given.')
  if (!Object.hasOwn(PARSERS, name)) throw new UsageError(`Unknown command: ${name}.`)
  return PARSERS[name as keyof typeof PARSERS](rest, options) // checked above
}

/** Parsers for the arguments that follow the name of a command */
const PARSERS = {
  list: withoutArguments('list', () => ({ name: 'list' })),
  audit: withoutArguments('audit', (options) => ({ name: 'audit', filters: parseAuditFilters(options) })),
  'reseal-factors': withoutArguments('reseal-factors', () => ({ name: 'reseal-factors' })),
  'verify-audit': withoutArguments('verify-audit', () => ({ name: 'verify-audit' })),
  sms: withoutArguments('sms', ({ hours }) => ({ name: 'sms', hours: parseHours(hours) })),
  'sweep-files': withoutArguments('sweep-files', (options) => ({
    name: 'sweep-files',
    isDryRun: options['dry-run'] ?? false,
    orphansMax: parseCount(options.max),
  })),
  'adopt-files': withoutArguments('adopt-files', ({ yes }) => ({ name: 'adopt-files', isConfirmed: yes ?? false })),
  features: withoutArguments('features', () => ({ name: 'features' })),
  'enable-feature': withOneArgument('enable-feature', (feature, { yes }) => {
    if (feature === undefined) throw new UsageError('enable-feature requires the name of a feature.')
    return { name: 'enable-feature', feature, isConfirmed: yes ?? false }
  }),
  'check-files': withoutArguments('check-files', () => ({ name: 'check-files' })),
  mails: withoutArguments('mails', ({ failed = false, retry = false }) => {
    if (failed && retry) throw new UsageError('E-mails that have failed are not retried: their content is deleted.')
    return { name: 'mails', action: retry ? 'retry' : failed ? 'failed' : 'waiting' }
  }),
  grant: withOneArgument('grant', (email) => ({ name: 'grant', email: parseEmail('grant', email) })),
  revoke: withOneArgument('revoke', (email) => ({ name: 'revoke', email: parseEmail('revoke', email) })),
  restore: withOneArgument('restore', (email) => ({ name: 'restore', email: parseEmail('restore', email) })),
  'enrollment-code': withOneArgument('enrollment-code', (email) => ({
    name: 'enrollment-code',
    email: parseEmail('enrollment-code', email),
  })),
  'verify-email': withOneArgument('verify-email', (account) => ({
    name: 'verify-email',
    account: parseAccount('verify-email', account),
  })),
  'reset-factors': withOneArgument('reset-factors', (account) => ({
    name: 'reset-factors',
    account: parseAccount('reset-factors', account),
  })),
  'rotate-keys': withOneArgument('rotate-keys', (kind, { prepare }) => ({
    name: 'rotate-keys',
    kind: parseKeyKind(kind),
    isPreparation: prepare ?? false,
  })),
  suspend: ([email, ...words]) => ({
    name: 'suspend',
    email: parseEmail('suspend', email),
    reason: parseReason(words),
  }),
} as const satisfies Record<Exclude<Command['name'], 'help'>, Parser>

type Parser = (words: readonly string[], options: Options) => Command

function withoutArguments(name: string, build: (options: Options) => Command): Parser {
  return (words, options) => {
    rejectExtraWords(name, words)
    return build(options)
  }
}

function withOneArgument(name: string, build: (word: string | undefined, options: Options) => Command): Parser {
  return ([word, ...rest], options) => {
    rejectExtraWords(name, rest)
    return build(word, options)
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

function parseKeyKind(word = KEY_KINDS.tokens): KeyKind {
  const kinds = Object.keys(KEY_KINDS) as KeyKind[] // an object literal has no other keys
  const kind = kinds.find((each) => KEY_KINDS[each] === word)
  if (kind !== undefined) return kind
  throw new UsageError(`Unknown keys: ${word}. Use one of ${Object.values(KEY_KINDS).join(', ')}.`)
}

function parseEmail(name: string, email: string | undefined): string {
  if (email?.includes('@')) return email
  throw new UsageError(
    email === undefined ? `${name} requires an e-mail address.` : `${email} is not an e-mail address.`,
  )
}

/** Parses an account id or an e-mail address. */
function parseAccount(name: string, word: string | undefined): number | string {
  if (word === undefined) throw new UsageError(`${name} requires an account id or an e-mail address.`)
  return /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : parseEmail(name, word)
}

function parseReason(words: readonly string[]): string {
  const reason = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  if (reason === '') throw new UsageError('suspend requires a reason after the e-mail address.')
  if (!isCleanText(reason)) throw new UsageError('The reason contains control characters.')
  if (!isVisibleText(reason)) throw new UsageError('The reason has no visible character.')
  if (reason.length <= REASON_LENGTH_MAX) return reason
  throw new UsageError(`The reason has more than ${REASON_LENGTH_MAX} characters.`)
}

function rejectExtraWords(name: string, words: readonly (string | undefined)[]): void {
  const [word] = words
  if (word !== undefined) throw new UsageError(`${name} does not accept the argument ${word}.`)
}
