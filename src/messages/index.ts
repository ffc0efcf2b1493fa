import { ar } from './ar.ts'
import type { Catalogue, Language, MessageKey } from './catalogue.ts'
import { en } from './en.ts'
import { countOf, isUnit } from './units.ts'

export type { Language, MailTopic, MessageKey } from './catalogue.ts'

const catalogues: Readonly<Record<Language, Catalogue>> = { ar, en }

type Values = Readonly<Record<string, string | number>>

/** Returns the message of a key, with its values filled in. */
export function say(language: Language, key: MessageKey, values: Values = {}): string {
  return fillIn(catalogues[language][key], language, values)
}

/** Replaces `{name}` by a value, and `{name:unit}` by a number with its unit. */
export function fillIn(template: string, language: Language, values: Values): string {
  return template.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, unit: string | undefined) => {
    const value = values[name] ?? ''
    return unit !== undefined && isUnit(unit) ? countOf(language, unit, Number(value)) : String(value)
  })
}
