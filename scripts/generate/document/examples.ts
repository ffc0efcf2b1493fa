import { en } from '../../../src/messages/en.ts'
import { say, type Language, type MessageKey } from '../../../src/messages/index.ts'
import { isObject, resolveSchema, type Document, type Example, type FieldCases, type Node } from './openapi.ts'

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

/**
 * Adds the required members that a value lacks, in the order of the schema. A variant of a union is chosen by the members
 * that the value has, such as `account_type`.
 *
 * @throws Error if a member has no example
 */
export function completeExample(document: Document, given: unknown, value: unknown): unknown {
  const schema = resolveSchema(document, given as Node)
  if (!isObject(value) || Array.isArray(value)) return value
  const variants: unknown = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(variants)) {
    const variant: unknown = variants.find((each) => accepts(resolveSchema(document, each as Node), value))
    return variant === undefined ? value : completeExample(document, variant, value)
  }
  const { properties, required = [] } = schema
  if (!isObject(properties)) return value
  const members = Object.entries(properties).flatMap(([name, property]) => {
    if (name in value) return [[name, completeExample(document, property, value[name])] as const]
    return (required as string[]).includes(name) ? [[name, exampleOf(document, name, property)] as const] : []
  })
  return { ...Object.fromEntries(members), ...withoutKeys(value, properties) }
}

/** Returns whether the enumerations of a schema contain the members of a value. */
function accepts({ properties }: Node, value: Node): boolean {
  if (!isObject(properties)) return false
  return Object.entries(value).every(([name, member]) => {
    const { enum: values } = (properties[name] ?? { enum: [] }) as { enum?: unknown[] }
    return values === undefined || values.includes(member)
  })
}

function exampleOf(document: Document, name: string, property: unknown): unknown {
  const { examples } = resolveSchema(document, property as Node)
  if (!Array.isArray(examples)) throw new Error(`${name} needs \`examples\` in its schema, or a value in each example`)
  return examples[0]
}

function withoutKeys(value: Node, known: Node): Node {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in known)))
}
