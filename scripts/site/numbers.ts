import { LIMITS } from '../../generated/limits.ts'
import type { Language } from '../../src/messages/index.ts'
import { fillIn } from '../generate/document/limits.ts'

const UNITS = ['second', 'minute', 'hour', 'day'] as const
const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const
/** Western digits, as in the interface of the service */
const LOCALES: Readonly<Record<Language, string>> = { ar: 'ar-u-nu-latn', en: 'en' }

type Unit = (typeof UNITS)[number]

/**
 * Fills in the limits of openapi/limits.yaml. `{{otp.digits}}` becomes a number, `{{minutes otp.confirm_minutes}}` a number
 * with its unit in the right plural form, and `{{duration otp.cooldown_seconds}}` seconds in the largest unit that divides
 * them, also for a list.
 */
export function fillInNumbers(text: string, language: Language): string {
  const withUnits = text.replaceAll(
    /\{\{(seconds|minutes|hours|days|duration) ([\w.]+)\}\}/g,
    (_, name: string, path: string) => {
      const values = valuesAt(path)
      const unit = UNITS.find((each) => `${each}s` === name)
      const words = values.map((value) => (unit ? amountOf(value, unit, language) : durationOf(value, language)))
      return new Intl.ListFormat(LOCALES[language]).format(words)
    },
  )
  return fillIn(`${withUnits} `, LIMITS) as string
}

function durationOf(seconds: number, language: Language): string {
  const unit = UNITS.findLast((each) => seconds % SECONDS[each] === 0) ?? 'second'
  return amountOf(seconds / SECONDS[unit], unit, language)
}

function amountOf(value: number, unit: Unit, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

function valuesAt(path: string): number[] {
  const value: unknown = path
    .split('.')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], LIMITS)
  const values: unknown[] = [value].flat()
  if (!values.every((each) => typeof each === 'number')) throw new Error(`openapi/limits.yaml has no number at ${path}`)
  return values
}
