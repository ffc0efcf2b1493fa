import { SUCCESS_MESSAGES } from '../../generated/messages.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { ar as arNotices } from './notices/ar.ts'
import { en as enNotices } from './notices/en.ts'
import type { Language, MessageKey } from './catalogue.ts'

export type { FactorTopic, Language, MailTopic, MessageKey, SmsNoticeKey } from './catalogue.ts'

/** All messages by language */
export const catalogues: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = {
  ar: { ...SUCCESS_MESSAGES.ar, ...ar, ...arNotices },
  en: { ...SUCCESS_MESSAGES.en, ...en, ...enNotices },
}

type Values = Readonly<Record<string, string | number | undefined>>

/** Returns the message of a key, with its values filled in. */
export function say(language: Language, key: MessageKey, values: Values = {}): string {
  return fillIn(catalogues[language][key], language, values)
}

/** Members of values that add a sentence to the message of an error */
const HINTS = ['accepted', 'example', 'line', 'header', 'escape'] as const

/** Returns the message of an error, and what would be accepted. */
export function explain(language: Language, key: MessageKey, values: Values): string {
  const hints = HINTS.filter((name) => values[name] !== undefined)
  return [key, ...hints].map((each) => say(language, each, values)).join(' ')
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

/** Units of numbers in messages, with their forms by plural category. `{count}` is replaced by the number. */
const FORMS = {
  ar: {
    minute: { one: 'دقيقة واحدة', two: 'دقيقتين', few: '{count} دقائق', other: '{count} دقيقة' },
    hour: { one: 'ساعة واحدة', two: 'ساعتين', few: '{count} ساعات', other: '{count} ساعة' },
    day: { one: 'يوم واحد', two: 'يومين', few: '{count} أيام', many: '{count} يوماً', other: '{count} يوم' },
    year: { one: 'سنة واحدة', two: 'سنتين', few: '{count} سنوات', other: '{count} سنة' },
    character: { one: 'حرف واحد', two: 'حرفين', few: '{count} أحرف', many: '{count} حرفاً', other: '{count} حرف' },
    notice: {
      one: 'إشعار واحد',
      two: 'إشعارين',
      few: '{count} إشعارات',
      many: '{count} إشعاراً',
      other: '{count} إشعار',
    },
    value: { one: 'قيمة واحدة', two: 'قيمتين', few: '{count} قيم', other: '{count} قيمة' },
  },
  en: {
    minute: { one: '{count} minute', other: '{count} minutes' },
    hour: { one: '{count} hour', other: '{count} hours' },
    day: { one: '{count} day', other: '{count} days' },
    year: { one: '{count} year', other: '{count} years' },
    character: { one: '{count} character', other: '{count} characters' },
    notice: { one: '{count} notice', other: '{count} notices' },
    value: { one: '{count} value', other: '{count} values' },
  },
} as const

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

type Unit = keyof (typeof FORMS)['en']

const RULES: Readonly<Record<Language, Intl.PluralRules>> = {
  ar: new Intl.PluralRules('ar'),
  en: new Intl.PluralRules('en'),
}

/** Returns a number with its unit, such as `2 minutes`. Arabic units are in the genitive, as after a preposition. */
export function countOf(language: Language, unit: Unit, count: number): string {
  const forms: Forms = FORMS[language][unit]
  return (forms[RULES[language].select(count)] ?? forms.other).replace('{count}', String(count))
}

export function isUnit(name: string): name is Unit {
  return Object.hasOwn(FORMS.en, name)
}
