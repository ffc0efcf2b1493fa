import { isUpload } from '../upload.ts'

/** The keywords of JSON Schema that the rules of forms have */
export type Rule = {
  type?: string
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  oneOf?: readonly { const: unknown }[]
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
  'x-clearable'?: boolean
  'x-code'?: string
}

/** Receives a broken rule: the path of the value, the field code, and the limit of the rule. */
export type Report = (path: string, code: string, limit?: number) => void

const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Reports the rules that a value breaks, with the field codes of the service. */
export function checkValue(path: string, value: unknown, rule: Rule, report: Report): void {
  if (value === null && rule['x-clearable']) return // it clears a number
  if (!isOfType(value, rule)) {
    report(path, 'wrong_type')
    return
  }
  const { oneOf, not } = rule
  const allowed: readonly unknown[] | undefined = rule.enum ?? oneOf?.map((option): unknown => option.const)
  const isAllowed = (rule.const ?? value) === value && (allowed?.includes(value) ?? true)
  if (!isAllowed || (not && Number(value) % not.multipleOf === 0)) report(path, 'not_allowed')
  checkSize(path, value, rule, report)
  if (typeof value === 'string') checkText(path, value, rule, report)
  else if (Array.isArray(value)) checkList(path, value, rule, report)
  else if (typeof value === 'object' && value) checkMap(path, value, rule, report)
}

/** Returns whether a value follows a rule. */
export function follows(value: unknown, rule: Rule): boolean {
  let isRight = true
  checkValue('', value, rule, () => (isRight = false))
  return isRight
}

function isOfType(value: unknown, { type, format }: Rule): boolean {
  const isFile = typeof value === 'object' && value !== null && isUpload(value)
  if (format === 'binary') return isFile
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === type && !Array.isArray(value) && !isFile
  return type === undefined || typeof value === type
}

function checkSize(path: string, value: unknown, rule: Rule, report: Report): void {
  let [size, low, minimum, high, maximum] = [Number(value), 'too_small', rule.minimum, 'too_large', rule.maximum]
  if (typeof value === 'string')
    [size, low, minimum, high, maximum] = [[...value].length, 'too_short', rule.minLength, 'too_long', rule.maxLength]
  else if (typeof value === 'object' && value) {
    size = Object.keys(value).length
    ;[low, minimum, high, maximum] = ['too_few', rule.minItems, 'too_many', rule.maxItems ?? rule.maxProperties]
  }
  if (minimum !== undefined && size < minimum)
    report(path, rule['x-code'] ?? (value === '' ? 'required' : low), minimum)
  if (maximum !== undefined && size > maximum) report(path, rule['x-code'] ?? high, maximum)
}

function checkText(path: string, text: string, { pattern, ...rule }: Rule, report: Report): void {
  const isVisible = rule['x-visible'] !== true || text === '' || VISIBLE.test(text)
  if (!isVisible || (pattern !== undefined && !new RegExp(pattern).test(text)))
    report(path, text === '' ? 'required' : 'wrong_format')
}

/** Items of a wrong type are not compared. */
function checkList(path: string, list: readonly unknown[], { uniqueItems, items = {} }: Rule, report: Report): void {
  const compared = uniqueItems ? list.filter((item) => isOfType(item, items)) : []
  if (new Set(compared).size < compared.length) report(path, 'repeated')
  list.forEach((item, index) => checkValue(`${path}.${String(index)}`, item, items, report))
}

function checkMap(path: string, map: object, { propertyNames, additionalProperties }: Rule, report: Report): void {
  for (const [key, member] of Object.entries(map)) {
    if (propertyNames && !new RegExp(propertyNames.pattern).test(key)) report(path, 'wrong_format')
    checkValue(`${path}.${key}`, member, additionalProperties ?? {}, report)
  }
}
