import type { FieldErrors } from '../contract.ts'
import type { FieldError } from '../errors.ts'
import { isUpload } from '../upload.ts'
import { itemsOf, type Lookups } from './lookups.ts'
import { checkValue, follows, type Report, type Rule } from './rules.ts'
import { latinDigits, readValues, type FormSchema, type FormValues } from './values.ts'

export type FormContext = {
  /** The stored profile, as `getProfile` returns it. Default: nothing is stored */
  stored?: object
  /** The options of lookups. Ids of lookups that are missing here are not checked. */
  lookups?: Lookups
  now?: Date
}

/** The values as the service reads them, and whether one of them is present and follows the rules of its field */
type Reading = { read: FormValues; stored: FormValues; isRight: (name: string) => boolean }

type Part = { required: string[]; properties: Record<string, Rule> }

const MEGABYTE = 1024 * 1024

/**
 * Returns the errors of a form by field, with the codes and messages of the service; empty if there are none. The service alone
 * knows what is taken, whether a code is right, how good a password is, and what a file contains.
 */
export function validateForm(
  form: FormSchema,
  values: FormValues,
  context: FormContext = {},
): FieldErrors<'updateProfile'> {
  const { stored = {}, lookups = new Map(), now = new Date() } = context
  const found = new Map<string, Map<string, number | undefined>>()
  const report: Report = (path, code, limit) => {
    const codes = found.get(path) ?? new Map<string, number | undefined>()
    found.set(path, codes.has(code) ? codes : codes.set(code, limit))
  }
  const read = readValues(form, values)
  checkSchema(form, read, report)

  const wrong = new Set([...found.keys()].map((path) => path.split('.')[0]))
  const isRight = (name: string): boolean => isFilled(read, name) && !wrong.has(name)
  const reading: Reading = { read, stored: stored as FormValues, isRight }
  for (const name of Object.keys(form.properties)) {
    if (isRight(name)) checkOptions(form, name, reading, lookups, report)
    if (isRight(name)) checkKeys(form, name, reading, report)
    checkFile(form, name, reading, report)
  }
  checkAge(form, reading, now, report)
  return toErrors(form, found)
}

/** Returns the fields that are required with these values, with those of files. */
export function requiredFields(form: FormSchema, values: FormValues, stored: object = {}): Set<string> {
  const read = readValues(form, values)
  const reading: Reading = { read, stored: stored as FormValues, isRight: (name) => isFilled(read, name) }
  const conditional = (form.allOf ?? []).filter((condition) => applies(condition.if, read))
  const files = Object.keys(form.properties).filter((name) => isFileRequired(form, name, reading))
  return new Set([...form.required, ...conditional.flatMap(({ then }) => then.required), ...files])
}

/** Returns whether a field has a value. A number that is cleared is null. */
function isFilled(read: FormValues, name: string): boolean {
  return (read[name] ?? null) !== null
}

function checkSchema(form: FormSchema, read: FormValues, report: Report): void {
  const checkPart = ({ required, properties }: Part): void => {
    for (const name of required) if (!(name in read)) report(name, 'required')
    for (const [name, rule] of Object.entries(properties)) if (name in read) checkValue(name, read[name], rule, report)
  }
  const isKnown = (name: string): boolean => name in form.properties || form['x-ignored-fields'].includes(name)
  for (const name of Object.keys(read)) if (!isKnown(name)) report(name, 'unknown_field')
  checkPart(form)
  for (const condition of form.allOf ?? []) if (applies(condition.if, read)) checkPart(condition.then)
}

function applies({ required, properties }: Part, read: FormValues): boolean {
  return (
    required.every((name) => name in read) &&
    Object.entries(properties).every(([name, rule]) => !(name in read) || follows(read[name], rule))
  )
}

/** A stored id can stay, even if it is no longer offered. */
function checkOptions(form: FormSchema, name: string, reading: Reading, lookups: Lookups, report: Report): void {
  const { read, stored, isRight } = reading
  const { parent } = form.properties[name]?.['x-lookup'] ?? {}
  if (parent !== undefined && !isRight(parent)) return
  const items = itemsOf(form, name, read, lookups)
  const isKept = parent === undefined || read[parent] === stored[parent]
  const kept = isKept ? [stored[name]].flat() : []
  const isOffered = (id: unknown): boolean => kept.includes(id) || (items?.some((item) => item.id === id) ?? true)
  if (![read[name]].flat().every(isOffered)) report(name, parent === undefined ? 'unknown_id' : 'wrong_parent')
}

function checkKeys(form: FormSchema, name: string, { read, stored, isRight }: Reading, report: Report): void {
  const source = form.properties[name]?.['x-keys']
  if (source === undefined || (source in read && !isRight(source))) return
  const expected = ((read[source] ?? stored[source] ?? []) as unknown[]).map(String)
  const keys = Object.keys(read[name] as object)
  for (const key of expected) if (!keys.includes(key)) report(`${name}.${key}`, 'required')
  for (const key of keys) if (!expected.includes(key)) report(`${name}.${key}`, 'unknown_field')
}

function checkFile(form: FormSchema, name: string, reading: Reading, report: Report): void {
  const rule = form.properties[name]?.['x-file']
  const file = reading.read[name]
  if (!rule) return
  if (file === undefined && isFileRequired(form, name, reading)) report(name, 'required')
  if (typeof file !== 'object' || file === null || !isUpload(file)) return
  if ('size' in file && file.size > rule.megabytes * MEGABYTE) report(name, 'file_too_large', rule.megabytes)
  else if (file.type !== '' && !rule.accept.includes(file.type)) report(name, 'file_type_not_allowed')
}

/** Returns whether a file belongs to the values, such as a certificate to a degree that has one. */
export function isFileOffered(form: FormSchema, name: string, read: FormValues): boolean {
  const condition = form.properties[name]?.['x-file']?.if
  return !condition || condition.values.includes(Number(read[condition.field]))
}

/** A stored file is enough, unless what it proves changes. */
function isFileRequired(form: FormSchema, name: string, { read, stored, isRight }: Reading): boolean {
  const rule = form.properties[name]?.['x-file']
  if (!rule || rule.required === 'never' || !isFileOffered(form, name, read)) return false
  const { if: condition, proves = [] } = rule
  if (condition && !isRight(condition.field)) return false
  const isChanged = (other: string): boolean => isRight(other) && textOf(read[other]) !== textOf(stored[other])
  return typeof stored[name] !== 'string' || proves.some(isChanged)
}

function textOf(value: unknown): string {
  const text = value ?? ''
  return typeof text === 'string' ? latinDigits(text) : JSON.stringify(text)
}

/** Judges the age on this day in UTC, as the service does. */
function checkAge(form: FormSchema, { read, isRight }: Reading, now: Date, report: Report): void {
  const date = form['x-birth-date']
  if (!date || ![date.day, date.month, date.year].every(isRight)) return
  const [day, month, year] = [date.day, date.month, date.year].map((name) => Number(read[name])) as [
    number,
    number,
    number,
  ]
  const months = now.getUTCMonth() + 1 - month
  const hadBirthday = months > 0 || (months === 0 && now.getUTCDate() >= day)
  const age = now.getUTCFullYear() - year - (hadBirthday ? 0 : 1)
  if (age < date.years_min || age > date.years_max) report(date.year, 'age_not_allowed')
}

function toErrors(form: FormSchema, found: Map<string, Map<string, number | undefined>>): FieldErrors<'updateProfile'> {
  const messages = form['x-messages']
  const errors = [...found].map(([path, codes]) => {
    const alone = ['unknown_field', 'required', 'wrong_type'].find((code) => codes.has(code))
    const kept = alone === undefined ? [...codes] : [[alone, undefined] as const]
    return [
      path,
      kept.map(([code, limit]) => ({
        code: code as FieldError['code'], // of the form
        word: code,
        text: messages[limit === undefined ? code : `${code}.${String(limit)}`] ?? messages[code] ?? code,
      })),
    ]
  })
  return Object.fromEntries(errors) as FieldErrors<'updateProfile'>
}
