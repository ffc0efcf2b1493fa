import { parseArgs } from 'node:util'
import { LIMITS } from '../../generated/limits.ts'
import { isCleanText, isVisibleText } from '../domain/text.ts'
import { Misuse } from './errors.ts'

/** What the operator wants done. */
export type Command =
  | Readonly<{ name: 'help' }>
  | Readonly<{ name: 'list' }>
  | Readonly<{ name: 'grant' | 'revoke' | 'restore'; email: string }>
  | Readonly<{ name: 'suspend'; email: string; reason: string }>
  | Readonly<{ name: 'rotate-keys'; isPreparation: boolean }>

/** As much as the audit trail takes */
const REASON_LENGTH_MAX = LIMITS.administration.reason_characters

/**
 * Reads what stands behind the name of the program.
 *
 * @throws Misuse that says what is wrong with it
 */
export function commandOf(given: readonly string[]): Command {
  const { words, isHelp, isPreparation } = parsed(given)
  const [name, email, ...rest] = words
  if (isHelp || name === 'help') return { name: 'help' }
  if (isPreparation && name !== 'rotate-keys') throw new Misuse('Only rotate-keys takes --prepare.')
  switch (name) {
    case 'list':
      refuseMore(name, [email, ...rest])
      return { name }
    case 'grant':
    case 'revoke':
    case 'restore':
      refuseMore(name, rest)
      return { name, email: emailOf(name, email) }
    case 'suspend':
      return { name, email: emailOf(name, email), reason: reasonOf(rest) }
    case 'rotate-keys':
      refuseMore(name, [email, ...rest])
      return { name, isPreparation }
    case undefined:
      throw new Misuse('A command is missing.')
    default:
      throw new Misuse(`There is no command ${name}.`)
  }
}

function parsed(given: readonly string[]): { words: string[]; isHelp: boolean; isPreparation: boolean } {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, prepare: { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ args: [...given], allowPositionals: true, options })
    return { words: positionals, isHelp: values.help ?? false, isPreparation: values.prepare ?? false }
  } catch (error) {
    throw new Misuse((error as Error).message.split('. ')[0], { cause: error })
  }
}

function emailOf(name: string, email: string | undefined): string {
  if (email?.includes('@')) return email
  throw new Misuse(email === undefined ? `${name} needs an e-mail address.` : `${email} is no e-mail address.`)
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
