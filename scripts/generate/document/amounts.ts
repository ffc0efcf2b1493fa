// Numbers with their units, in the right plural form of a language.
import type { Language } from '../../../src/messages/index.ts'

const UNITS = ['second', 'minute', 'hour', 'day'] as const
export const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const
/** Western digits, as in the interface of the service */
const LOCALES: Readonly<Record<Language, string>> = { ar: 'ar-u-nu-latn', en: 'en' }

export type Unit = (typeof UNITS)[number]

/**
 * Returns numbers with the unit of a name such as `minutes`, as a list. With the name `duration`, the numbers are seconds, each
 * in the largest unit that divides it.
 */
export function renderAmounts(values: readonly number[], name: string, language: Language): string {
  const unit = UNITS.find((each) => `${each}s` === name)
  const words = values.map((value) => (unit ? renderAmount(value, unit, language) : durationOf(value, language)))
  return new Intl.ListFormat(LOCALES[language]).format(words)
}

/** Returns a number with its unit, such as `2 minutes`. */
export function renderAmount(value: number, unit: Unit, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

function durationOf(seconds: number, language: Language): string {
  const unit = UNITS.findLast((each) => seconds % SECONDS[each] === 0) ?? 'second'
  return renderAmount(seconds / SECONDS[unit], unit, language)
}
