// A validator of profile forms that knows nothing but `GET /api/v1/profile/form` and the lookups that it names, as a client
// would have it.
import { isFileValue, type FileValue, type FormValues } from './form-values.ts'

type Rule = {
  type?: string
  const?: unknown
  enum?: unknown[]
  oneOf?: { const: unknown }[]
  format?: string
  minimum?: number
  maximum?: number
  not?: { multipleOf: number }
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: Rule
  maxProperties?: number
  propertyNames?: { pattern: string }
  additionalProperties?: Rule
  'x-visible'?: boolean
}

type Field = Rule & {
  'x-lookup'?: { url: string; parent?: string; query?: string; members?: string }
  'x-keys'?: string
  'x-file'?: {
    accept: string[]
    megabytes: number
    required: 'never' | 'unless_stored'
    if?: { field: string; values: number[] }
  }
}

type Part = { required: string[]; properties: Record<string, Rule> }

export type PublishedForm = {
  required: string[]
  properties: Record<string, Field>
  allOf?: { if: Part; then: Part }[]
  'x-ignored-fields': string[]
  'x-birth-date'?: { day: string; month: string; year: string; years_min: number; years_max: number }
}

export type LookupItem = { id: number } & Record<string, unknown>

const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u
const MEGABYTE = 1024 * 1024

/**
 * Returns the names of the fields that a form rejects.
 *
 * @param lookups the items of each lookup, by its URL
 */
export function rejectedFields(
  form: PublishedForm,
  values: FormValues,
  lookups: ReadonlyMap<string, readonly LookupItem[]>,
  now: Date,
): Set<string> {
  const rejected = new Set([...missing(form.required, values), ...unknown(form, values)])
  for (const [name, field] of Object.entries(form.properties)) {
    if (name in values && !isRight(values[name], field)) rejected.add(name)
  }
  for (const { if: condition, then } of form.allOf ?? []) {
    if (!holds(condition, values)) continue
    for (const name of [...missing(then.required, values), ...wrong(then, values)]) rejected.add(name)
  }
  const schemaRejected = new Set(rejected)
  const isRead = (name: string): boolean => name in values && !schemaRejected.has(name)
  for (const [name, field] of Object.entries(form.properties)) {
    const isWrong =
      (isRead(name) && !isListed(field, name, values, lookups, isRead)) ||
      (isRead(name) && !hasRightKeys(field, values[name], values, isRead)) ||
      isMissingFile(field, name, values, isRead)
    if (isWrong) rejected.add(name)
  }
  const { 'x-birth-date': date } = form
  if (date && [date.day, date.month, date.year].every(isRead) && !isOfAge(date, values, now)) rejected.add(date.year)
  return rejected
}

function missing(required: readonly string[], values: FormValues): string[] {
  return required.filter((name) => !(name in values))
}

function unknown({ properties, 'x-ignored-fields': ignored }: PublishedForm, values: FormValues): string[] {
  return Object.keys(values).filter((name) => !(name in properties) && !ignored.includes(name))
}

function wrong({ properties }: Part, values: FormValues): string[] {
  return Object.entries(properties).flatMap(([name, rule]) =>
    name in values && !isRight(values[name], rule) ? [name] : [],
  )
}

function holds({ required, properties }: Part, values: FormValues): boolean {
  return missing(required, values).length === 0 && wrong({ required, properties }, values).length === 0
}

function isRight(value: unknown, rule: Rule): boolean {
  if (rule.format === 'binary') return isFileValue(value)
  if (!isOfType(value, rule.type)) return false
  if ('const' in rule && value !== rule.const) return false
  if (rule.enum && !rule.enum.includes(value)) return false
  if (rule.oneOf && !rule.oneOf.some((option) => option.const === value)) return false
  if (typeof value === 'number') return isRightNumber(value, rule)
  if (typeof value === 'string') return isRightText(value, rule)
  if (Array.isArray(value)) return isRightList(value, rule)
  return typeof value !== 'object' || value === null || isRightMap(value, rule)
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === undefined) return true
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value) && !isFileValue(value)
  return typeof value === type
}

function isRightNumber(value: number, { minimum = -Infinity, maximum = Infinity, not }: Rule): boolean {
  return value >= minimum && value <= maximum && !(not && value % not.multipleOf === 0)
}

function isRightText(text: string, rule: Rule): boolean {
  const { length } = [...text]
  if (length < (rule.minLength ?? 0) || length > (rule.maxLength ?? Infinity)) return false
  if (rule['x-visible'] === true && text !== '' && !VISIBLE.test(text)) return false
  return rule.pattern === undefined || new RegExp(rule.pattern).test(text) // without the flag u, as many clients do it
}

function isRightList(
  list: readonly unknown[],
  { minItems = 0, maxItems = Infinity, uniqueItems, items }: Rule,
): boolean {
  const isUnique = uniqueItems !== true || new Set(list).size === list.length
  const areRight = list.every((item) => !items || isRight(item, items))
  return list.length >= minItems && list.length <= maxItems && isUnique && areRight
}

function isRightMap(map: object, { maxProperties = Infinity, propertyNames, additionalProperties }: Rule): boolean {
  const entries = Object.entries(map)
  const isKey = (key: string): boolean => !propertyNames || new RegExp(propertyNames.pattern).test(key)
  const isMember = (value: unknown): boolean => !additionalProperties || isRight(value, additionalProperties)
  return entries.length <= maxProperties && entries.every(([key, value]) => isKey(key) && isMember(value))
}

function isListed(
  { 'x-lookup': lookup }: Field,
  name: string,
  values: FormValues,
  lookups: ReadonlyMap<string, readonly LookupItem[]>,
  isRead: (name: string) => boolean,
): boolean {
  if (!lookup) return true
  const { url, parent, query, members } = lookup
  const all = lookups.get(url) ?? []
  const items = members === undefined ? all : all.flatMap((item) => item[members] as LookupItem[])
  const isChild = (item: LookupItem): boolean =>
    parent === undefined || query === undefined || !isRead(parent) || item[query] === values[parent]
  return [values[name]].flat().every((id) => items.some((item) => item.id === id && isChild(item)))
}

function hasRightKeys(
  { 'x-keys': source }: Field,
  map: unknown,
  values: FormValues,
  isRead: (name: string) => boolean,
): boolean {
  if (source === undefined || (source in values && !isRead(source))) return true
  const keys = Object.keys(map as object)
  const expected = ((values[source] ?? []) as unknown[]).map(String)
  return keys.length === expected.length && expected.every((key) => keys.includes(key))
}

/** Nothing is stored of the accounts that the test uses. */
function isMissingFile(
  { 'x-file': rule }: Field,
  name: string,
  values: FormValues,
  isRead: (name: string) => boolean,
): boolean {
  if (!rule) return false
  const file = values[name]
  if (isFileValue(file)) return !isRightFile(file, rule)
  if (file !== undefined || rule.required === 'never') return false
  return !rule.if || (isRead(rule.if.field) && rule.if.values.includes(values[rule.if.field] as number))
}

function isRightFile({ type, bytes }: FileValue, { accept, megabytes }: NonNullable<Field['x-file']>): boolean {
  return accept.includes(type) && bytes.length <= megabytes * MEGABYTE
}

function isOfAge(
  { day, month, year, years_min: min, years_max: max }: NonNullable<PublishedForm['x-birth-date']>,
  values: FormValues,
  now: Date,
): boolean {
  const [d, m, y] = [day, month, year].map((name) => Number(values[name])) as [number, number, number]
  const [nowMonth, nowDay] = [now.getUTCMonth() + 1, now.getUTCDate()]
  const hadBirthday = nowMonth > m || (nowMonth === m && nowDay >= d)
  const age = now.getUTCFullYear() - y - (hadBirthday ? 0 : 1)
  return age >= min && age <= max
}
