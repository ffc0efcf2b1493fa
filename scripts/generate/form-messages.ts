import { say, type Language, type MessageKey } from '../../src/messages/index.ts'
import { isObject, type Node } from './document/openapi.ts'

/** The field codes that a client can find with a form alone, beside those of limits. */
const CODES = [
  ...['required', 'unknown_field', 'wrong_type', 'wrong_format', 'not_allowed'],
  ...['repeated', 'unknown_id', 'wrong_parent', 'file_type_not_allowed'],
] as MessageKey[]
const LIMIT_CODES: Readonly<Record<string, MessageKey>> = {
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  megabytes: 'file_too_large',
}

/** Returns the messages of the field codes that a form can lead to. Codes with a limit are followed by it. */
export function messagesOf(form: Node, language: Language): Record<string, string> {
  const { 'x-birth-date': date } = form as { 'x-birth-date'?: { years_min: number; years_max: number } }
  const conditional = (form['allOf'] as Node[] | undefined)?.map((condition) => condition['then']) ?? []
  const rules = [...listRules(form['properties']), ...listRules(conditional)]
  const codes = new Set([...CODES, ...rules.flatMap((rule) => (rule['x-code'] as MessageKey | undefined) ?? [])])
  return {
    ...Object.fromEntries([...codes].map((code) => [code, say(language, code)])),
    ...Object.fromEntries(rules.flatMap((rule) => limitMessages(rule, language))),
    ...(date && { age_not_allowed: say(language, 'age_not_allowed', { min: date.years_min, max: date.years_max }) }),
  }
}

/** An empty text is `required`, and no list or file is too small for 0. */
function limitMessages(rule: Node, language: Language): [string, string][] {
  if ('x-code' in rule) return []
  return Object.entries(LIMIT_CODES).flatMap(([keyword, code]) => {
    const limit = rule[keyword]
    const isReachable =
      typeof limit === 'number' && !(keyword.startsWith('min') && limit === (keyword === 'minLength' ? 1 : 0))
    return isReachable ? [[`${code}.${limit}`, say(language, code, { limit })]] : []
  })
}

/** Returns all objects within a part of a form. */
function listRules(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(listRules)
  return isObject(node) ? [node, ...Object.values(node).flatMap(listRules)] : []
}
