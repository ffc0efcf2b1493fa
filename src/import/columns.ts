import { distance } from 'fastest-levenshtein'
import { Impossible } from '../command-line/errors.ts'

const WRONG_LETTERS_MAX = 3

/** What the rows of a file may have, and what they must have. */
export type Columns = Readonly<{
  all: readonly string[]
  /** Of every row */
  required: readonly string[]
  /** Of the rows of a client, and of those of a lawyer */
  either: readonly (readonly string[])[]
}>

/**
 * Refuses a file whose columns cannot be what its author means, before any of it is imported.
 *
 * @throws Impossible that says what is wrong with them, all at once
 */
export function checkColumns(given: readonly string[], columns: Columns): void {
  const problems = [...unknown(given, columns), ...repeated(given), ...missing(given, columns)]
  if (problems.length > 0) throw new Impossible(`The columns are not right:\n${listed(problems)}`)
}

/** @throws Impossible for a name that no row may have */
export function checkNames(given: readonly string[], columns: Columns): void {
  const problems = unknown(given, columns)
  if (problems.length > 0) throw new Impossible(`The first line is not right:\n${listed(problems)}`)
}

function listed(problems: readonly string[]): string {
  return problems.map((problem) => `  ${problem}`).join('\n')
}

function unknown(given: readonly string[], { all }: Columns): string[] {
  return given
    .filter((name) => !all.includes(name))
    .map((name) => {
      const near = all.find((known) => isNear(name, known))
      const shown = JSON.stringify(name.slice(0, 100))
      if (near !== undefined) return `${shown} is not known. Is ${near} meant?`
      const separator = /[;\t|]/.test(name) ? ' Columns are separated by commas.' : ''
      return `${shown} is not known.${separator || ` The columns are ${all.join(', ')}.`}`
    })
}

/** A few wrong letters, or another way to write it, such as `First Name` or `password` */
function isNear(name: string, known: string): boolean {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[ .-]+/g, '_')
  return distance(plain, known) <= Math.min(WRONG_LETTERS_MAX, known.length / 2) || `${known}_`.startsWith(`${plain}_`)
}

function repeated(given: readonly string[]): string[] {
  const twice = given.filter((name, index) => given.indexOf(name) < index)
  return [...new Set(twice)].map((name) => `${name} is there twice.`)
}

function missing(given: readonly string[], { required, either }: Columns): string[] {
  const lacks = (names: readonly string[]): string[] => names.filter((name) => !given.includes(name))
  const [names, ...more] = either.map((own) => own.join(', '))
  const hasNames = either.some((own) => lacks(own).length === 0)
  return [
    ...lacks(required).map((name) => `${name} is missing.`),
    ...(hasNames ? [] : [`The names are missing: ${[names, ...more].join(', or ')}.`]),
  ]
}
