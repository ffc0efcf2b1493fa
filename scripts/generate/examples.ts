import { say, type Language, type MessageKey } from '../../src/messages/index.ts'
import type { Example } from './openapi.ts'

const LANGUAGES: Readonly<Record<Language, string>> = { ar: 'Arabic', en: 'English' }

export type Exemplified = {
  /** The case that it shows: an error code, `ok`, or a name of the sources */
  name: string
  summary: string
  status: number
  message: MessageKey
  dataIn: (language: Language) => unknown
  /** Members of `data` that stand beside it too */
  beside?: string[]
}

/** Builds an example in each language, named `<case>_<language>`, with the message of the service. */
export function buildExamples(exemplified: Exemplified): Record<string, Example> {
  const { name, summary, status, message, dataIn, beside = [] } = exemplified
  const examples = (Object.keys(LANGUAGES) as Language[]).map((language) => {
    const data = dataIn(language)
    const envelope = { status: status < 400, code: status, message: say(language, message), data }
    const value = { ...envelope, ...pickMembers(data as Record<string, unknown>, beside) }
    return [
      `${name}_${language}`,
      { summary: summary ? `${summary}, in ${LANGUAGES[language]}` : LANGUAGES[language], value },
    ] as const
  })
  return Object.fromEntries(examples)
}

/** What a 422 says of fields, given the word of each. */
export function fieldErrors(codes: Readonly<Record<string, string>>, language: Language): object {
  const lists = (toWord: (code: string) => string): object =>
    Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, [toWord(code)]]))
  return { errors: lists((code) => say(language, code as MessageKey)), codes: lists((code) => code) }
}

export function pickMembers(data: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, data[name]]))
}
