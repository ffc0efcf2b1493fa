import { describeValues } from './enums.ts'
import type { Schema } from './types.ts'
import { mapMembers } from './walk.ts'

const TEXT: Readonly<Record<string, string>> = {
  array: 'In this form, a JSON array as text',
  object: 'In this form, a JSON object as text',
  number: 'In this form, a decimal number as text',
}

/**
 * Describes a field of a form as generated clients can send it. They write lists and maps in ways that no server can
 * read back, and Python fails on decimals: all of them become text. Kotlin does not compile with optional enums.
 */
export function describeField(schema: Schema, { isRequired }: { isRequired: boolean }): Schema {
  const about = TEXT[String(schema.type)]
  if (about) return describeText(schema, about)
  return isRequired ? schema : describeValues(schema)
}

function describeText({ description = '', example }: Schema, about: string): Schema {
  const text = asText(example)
  return {
    type: 'string',
    description: `${description}\n\n${about}${text === undefined ? '' : `, such as \`${text}\``}.`,
    ...(text !== undefined && { example: text }),
  }
}

/** Writes the values of an example as its form describes them. */
export function exampleOf<Example extends { value: object }>(
  example: Example,
  fields: Record<string, Schema>,
): Example {
  const value = mapMembers(example.value, (each, name) => (fields[name]?.type === 'string' ? asText(each) : each))
  return { ...example, value }
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
