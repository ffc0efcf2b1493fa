import { en } from '../../../src/messages/en.ts'
import { say, type Language, type MessageKey } from '../../../src/messages/index.ts'
import type { Example, FieldCases } from './openapi.ts'

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
  if (!Object.hasOwn(en, message)) throw new Error(`src/messages/en.ts and ar.ts have no message ${message}`)
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

/** Returns the data of a 422, given the code of each field. */
export function fieldErrors(fields: FieldCases, language: Language): object {
  const errors = Object.entries(fields).map(([field, failure]) => {
    const { code, ...values } = typeof failure === 'string' ? { code: failure } : failure
    return { field, code, message: say(language, code as MessageKey, values) }
  })
  return {
    errors: Object.fromEntries(errors.map(({ field, message }) => [field, [message]])),
    codes: Object.fromEntries(errors.map(({ field, code }) => [field, [code]])),
  }
}

export function pickMembers(data: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, data[name]]))
}
