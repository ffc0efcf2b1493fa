import { ar } from './ar.ts'
import type { Catalogue, Language, MessageKey } from './catalogue.ts'
import { en } from './en.ts'
import { countOf, isUnit } from './units.ts'

export type { Language, MailTopic, MessageKey, SmsNoticeKey } from './catalogue.ts'

const catalogues: Readonly<Record<Language, Catalogue>> = { ar, en }

type Values = Readonly<Record<string, string | number>>

/** Returns the message of a key, with its values filled in. */
export function say(language: Language, key: MessageKey, values: Values = {}): string {
  return fillIn(catalogues[language][key], language, values)
}

const PLACEHOLDER = /\{(\w+)(?::(\w+)|\?([^|}]*)\|([^}]*))?\}/g

/**
 * Replaces `{name}` by a value, and `{name:unit}` by a number with its unit. `{name?first|second}` becomes the first text if
 * the value is a link, and the second one if it is only a token, because there is no page that a link could lead to.
 */
export function fillIn(template: string, language: Language, values: Values): string {
  return template.replaceAll(PLACEHOLDER, (_, name: string, unit?: string, ofLink?: string, ofToken?: string) => {
    const value = values[name] ?? ''
    if (ofLink !== undefined && ofToken !== undefined) return /^https?:/.test(String(value)) ? ofLink : ofToken
    return unit !== undefined && isUnit(unit) ? countOf(language, unit, Number(value)) : String(value)
  })
}
