import { distance } from 'fastest-levenshtein'
import { CommandError } from '../../program.ts'

const WRONG_LETTERS_MAX = 3

export type Columns = Readonly<{
  all: readonly string[]
  /** Those that CSV cannot have */
  jsonOnly: readonly string[]
  /** Required in every row */
  required: readonly string[]
  /** Required in the rows of clients, and in those of lawyers */
  alternatives: readonly (readonly string[])[]
}>

/**
 * Rejects a file with unknown, repeated or missing columns, before any row is imported.
 *
 * @throws CommandError that lists all problems
 */
export function checkColumns(names: readonly string[], columns: Columns): void {
  const isJsonOnly = (name: string): boolean => columns.jsonOnly.includes(name)
  const others = (list: readonly string[]): string[] => list.filter((name) => !isJsonOnly(name))
  const problems = [
    ...names.filter(isJsonOnly).map((name) => `The column ${name} needs a .jsonl file.`),
    ...findUnknown(others(names), { ...columns, all: others(columns.all) }),
    ...findRepeated(names),
    ...findMissing(names, columns),
  ]
  if (problems.length > 0) throw new CommandError(`The columns are invalid:\n${formatList(problems)}`)
}

/** @throws CommandError if a name is not a column */
export function checkNames(names: readonly string[], columns: Columns): void {
  const problems = findUnknown(names, columns)
  if (problems.length > 0) throw new CommandError(`The first line is invalid:\n${formatList(problems)}`)
}

function formatList(problems: readonly string[]): string {
  return problems.map((problem) => `  ${problem}`).join('\n')
}

function findUnknown(names: readonly string[], { all }: Columns): string[] {
  return names
    .filter((name) => !all.includes(name))
    .map((name) => {
      const near = all.find((known) => isNear(name, known))
      const shown = JSON.stringify(name.slice(0, 100))
      if (near !== undefined) return `Unknown column ${shown}. Did you mean ${near}?`
      const separator = /[;\t|]/.test(name) ? ' Separate columns with commas.' : ''
      return `Unknown column ${shown}.${separator || ` The columns are ${all.join(', ')}.`}`
    })
}

/** Returns whether a name is a misspelling or a variant of a column, such as `First Name` or `password`. */
function isNear(name: string, known: string): boolean {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[ .-]+/g, '_')
  return distance(plain, known) <= Math.min(WRONG_LETTERS_MAX, known.length / 2) || `${known}_`.startsWith(`${plain}_`)
}

function findRepeated(names: readonly string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  return [...new Set(twice)].map((name) => `The column ${name} is repeated.`)
}

function findMissing(names: readonly string[], { required, alternatives }: Columns): string[] {
  const findAbsent = (expected: readonly string[]): string[] => expected.filter((name) => !names.includes(name))
  const lists = alternatives.map((own) => own.join(', '))
  const hasNames = alternatives.some((own) => findAbsent(own).length === 0)
  return [
    ...findAbsent(required).map((name) => `The column ${name} is missing.`),
    ...(hasNames ? [] : [`The columns of the names are missing: ${lists.join(', or ')}.`]),
  ]
}
