import { parseArgs } from 'node:util'
import { LIMITS } from '../../generated/limits.ts'
import type { KeyKind } from '../adapters/keys/shape.ts'
import { isCleanText, isVisibleText } from '../domain/text.ts'
import { Misuse } from './errors.ts'

/** What the operator wants done. */
export type Command =
  | Readonly<{ name: 'help' }>
  | Readonly<{ name: 'list' }>
  | Readonly<{ name: 'grant' | 'revoke' | 'restore'; email: string }>
  | Readonly<{ name: 'verify-email'; account: number | string }>
  | Readonly<{ name: 'suspend'; email: string; reason: string }>
  | Readonly<{ name: 'rotate-keys'; kind: KeyKind; isPreparation: boolean }>
  | Readonly<{ name: 'sweep-files'; isDryRun: boolean; orphansMax: number | undefined }>
  | Readonly<{ name: 'adopt-files'; isConfirmed: boolean }>
  | Readonly<{ name: 'verify-audit' }>

/** What the kinds of keys are called on the command line */
export const KEY_KINDS: Readonly<Record<KeyKind, string>> = {
  tokens: 'tokens',
  codes: 'codes',
  links: 'links',
  refresh_tokens: 'refresh-tokens',
  audit_seals: 'audit-seals',
}

/** As much as the audit trail takes */
const REASON_LENGTH_MAX = LIMITS.administration.reason_characters

/**
 * Reads what stands behind the name of the program.
 *
 * @throws Misuse that says what is wrong with it
 */
export function commandOf(given: readonly string[]): Command {
  const { words, options } = parsed(given)
  const [name, email, ...rest] = words
  if (options.help || name === 'help') return { name: 'help' }
  refuseOptionsOfOthers(name, options)
  switch (name) {
    case 'list':
    case 'verify-audit':
      refuseMore(name, [email, ...rest])
      return { name }
    case 'grant':
    case 'revoke':
    case 'restore':
      refuseMore(name, rest)
      return { name, email: emailOf(name, email) }
    case 'verify-email':
      refuseMore(name, rest)
      return { name, account: accountOf(name, email) }
    case 'suspend':
      return { name, email: emailOf(name, email), reason: reasonOf(rest) }
    case 'rotate-keys':
      refuseMore(name, rest)
      return { name, kind: keyKindOf(email), isPreparation: options.prepare ?? false }
    case 'sweep-files':
      refuseMore(name, [email, ...rest])
      return { name, isDryRun: options['dry-run'] ?? false, orphansMax: countOf(options.max) }
    case 'adopt-files':
      refuseMore(name, [email, ...rest])
      return { name, isConfirmed: options.yes ?? false }
    case undefined:
      throw new Misuse('A command is missing.')
    default:
      throw new Misuse(`There is no command ${name}.`)
  }
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  prepare: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  max: { type: 'string' },
  yes: { type: 'boolean' },
} as const

/** Which command takes an option */
const COMMAND_OF_OPTION = {
  prepare: 'rotate-keys',
  'dry-run': 'sweep-files',
  max: 'sweep-files',
  yes: 'adopt-files',
} as const satisfies Partial<Record<keyof typeof OPTIONS, Command['name']>>

type Options = { help?: boolean; prepare?: boolean; 'dry-run'?: boolean; max?: string; yes?: boolean }

function parsed(given: readonly string[]): { words: string[]; options: Options } {
  try {
    const { positionals, values } = parseArgs({ args: [...given], allowPositionals: true, options: OPTIONS })
    return { words: positionals, options: values }
  } catch (error) {
    throw new Misuse((error as Error).message.split('. ')[0], { cause: error })
  }
}

function refuseOptionsOfOthers(name: string | undefined, options: Options): void {
  for (const [option, command] of Object.entries(COMMAND_OF_OPTION)) {
    if (Object.hasOwn(options, option) && name !== command) throw new Misuse(`Only ${command} takes --${option}.`)
  }
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  throw new Misuse(`--max takes a whole number, but here is ${text}.`)
}

function keyKindOf(word = KEY_KINDS.tokens): KeyKind {
  const kinds = Object.keys(KEY_KINDS) as KeyKind[] // what an object literal has
  const kind = kinds.find((each) => KEY_KINDS[each] === word)
  if (kind !== undefined) return kind
  throw new Misuse(`There are no keys called ${word}. rotate-keys takes one of ${Object.values(KEY_KINDS).join(', ')}.`)
}

function emailOf(name: string, email: string | undefined): string {
  if (email?.includes('@')) return email
  throw new Misuse(email === undefined ? `${name} needs an e-mail address.` : `${email} is no e-mail address.`)
}

/** An id or an e-mail address */
function accountOf(name: string, word: string | undefined): number | string {
  return word !== undefined && /^[1-9][0-9]{0,8}$/.test(word) ? Number(word) : emailOf(name, word)
}

function reasonOf(words: readonly string[]): string {
  const reason = words.join(' ').replaceAll(/\s+/g, ' ').trim()
  if (reason === '') throw new Misuse('suspend needs a reason behind the e-mail address.')
  if (!isCleanText(reason)) throw new Misuse('The reason contains control characters.')
  if (!isVisibleText(reason)) throw new Misuse('The reason has no visible character.')
  if (reason.length <= REASON_LENGTH_MAX) return reason
  throw new Misuse(`The reason has more than ${REASON_LENGTH_MAX} characters.`)
}

function refuseMore(name: string, words: readonly (string | undefined)[]): void {
  const [word] = words
  if (word !== undefined) throw new Misuse(`${name} takes nothing more, but here is ${word}.`)
}
