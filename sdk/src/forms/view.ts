import type { Schemas } from '../contract.ts'
import { itemsOf, type Lookups } from './lookups.ts'
import { isFileOffered, requiredFields } from './validate.ts'
import { readValues, type FormSchema, type FormValues } from './values.ts'

export type FormOption = { value: number | string; label: string }

/** What to show of a field */
export type FormField = {
  name: string
  /** The label, in the language of the form */
  label: string
  hint: string | undefined
  /** How to enter it: `choice` is one of the options, `choices` are several, and a `map` has a text for each option. */
  kind: 'text' | 'email' | 'password' | 'number' | 'choice' | 'choices' | 'map' | 'file'
  /** Whether a text can have several lines */
  multiline: boolean
  value: unknown
  /** Whether it is required with the present values */
  required: boolean
  options: readonly FormOption[]
  maxLength: number | undefined
  /** Accepted media types, as `accept` of an `<input>` */
  accept: string | undefined
  megabytes: number | undefined
  /** The link of the stored file */
  link: string | undefined
}

export type FormGroup = { name: string; title: string; fields: FormField[] }

/** The values that a form depends on: those typed so far, and the stored profile */
export type FormContents = { values: FormValues; stored: object; lookups: Lookups }

/** Returns the groups of a form with their fields, in order, without those that do not apply with the present values. */
export function describeForm(form: FormSchema, data: FormContents): FormGroup[] {
  const required = requiredFields(form, data.values, data.stored)
  const applicable = applicableFields(form, data.values, required)
  return form['x-groups'].map(({ name, title }) => ({
    name,
    title,
    fields: applicable
      .filter((field) => form.properties[field]?.['x-group'] === name && form.properties[field].const === undefined)
      .map((field) => describeField(form, field, data, required)),
  }))
}

/** Returns the fields that apply: one that is required in some cases only does in these cases, also if its file is stored. */
export function applicableFields(form: FormSchema, values: FormValues, required: ReadonlySet<string>): string[] {
  const read = readValues(form, values)
  const conditional = form.allOf?.flatMap(({ then }) => then.required)
  return Object.keys(form.properties).filter(
    (name) => (required.has(name) || !conditional?.includes(name)) && isFileOffered(form, name, read),
  )
}

function describeField(form: FormSchema, name: string, data: FormContents, required: ReadonlySet<string>): FormField {
  const rule: Partial<Schemas['FormField']> = form.properties[name] ?? {}
  const { 'x-file': file, pattern = '' } = rule
  const link = (data.stored as FormValues)[name]
  return {
    name,
    label: rule.title ?? name,
    hint: rule.description,
    kind: kindOf(rule),
    multiline: rule.type === 'string' && rule['x-visible'] === true && new RegExp(pattern).test('a\na'),
    value: data.values[name],
    required: required.has(name),
    options: optionsOf(form, name, data),
    maxLength: rule.maxLength,
    accept: file?.accept.join(),
    megabytes: file?.megabytes,
    link: file && typeof link === 'string' ? link : undefined,
  }
}

function kindOf({ type, format, oneOf, ...rule }: Partial<Schemas['FormField']>): FormField['kind'] {
  if (format) return format === 'binary' ? 'file' : format
  if (type === 'array') return 'choices'
  if (type === 'object') return 'map'
  if (oneOf || rule['x-lookup']) return 'choice'
  return type === 'string' ? 'text' : 'number'
}

function optionsOf(form: FormSchema, name: string, { values, lookups }: FormContents): FormOption[] {
  const { oneOf, 'x-keys': source } = form.properties[name] ?? {}
  if (oneOf) return oneOf.map((option) => ({ value: option.const, label: option.title }))
  const read = readValues(form, values)
  const items = itemsOf(form, source ?? name, read, lookups) ?? []
  const options = items.map((item) => ({ value: item.id, label: item.name ?? String(item.id) }))
  return source === undefined ? options : options.filter(({ value }) => [read[source]].flat().includes(value))
}
