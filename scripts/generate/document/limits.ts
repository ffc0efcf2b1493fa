import type { Language } from '../../../src/messages/index.ts'
import { renderAmounts } from './words.ts'
import { isObject } from './openapi.ts'

export type Limits = { readonly [name: string]: Limits | number | readonly number[] }

/** The keywords of a schema whose values are limits, by the path of the limit */
const KEYWORDS = 'x-tawthiq-limits'

const AMOUNT = /\{\{(seconds|minutes|hours|days|duration) ([\w.]+)\}\}/g

/**
 * Replaces `{{path}}` by the limit at that path. It can be a list of numbers if it is the whole text. `{{minutes path}}` becomes a number with its unit in the right plural form, and `{{duration path}}` seconds in the
 * largest unit that divides them. Also replaces `x-tawthiq-limits` by the keywords that it names.
 */
export function fillIn(node: unknown, limits: Limits, language: Language = 'en'): unknown {
  if (typeof node === 'string') {
    const whole = /^\{\{([\w.]+)\}\}$/.exec(node)?.[1]
    if (whole !== undefined) return numbersAt(whole, limits)
    return node
      .replaceAll(AMOUNT, (_, unit: string, path: string) =>
        renderAmounts([numbersAt(path, limits)].flat(), unit, language),
      )
      .replaceAll(/\{\{([\w.]+)\}\}/g, (_, path: string) => String(numberAt(path, limits)))
  }
  if (Array.isArray(node)) return node.map((item) => fillIn(item, limits, language))
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      key === KEYWORDS
        ? Object.entries(value as Record<string, string>).map(([keyword, path]) => [keyword, numberAt(path, limits)])
        : [[key, fillIn(value, limits, language)]],
    ),
  )
}

function numbersAt(path: string, limits: Limits): number | number[] {
  const value = valueAt(path, limits)
  return Array.isArray(value) ? value.map(Number) : numberAt(path, limits)
}

export function numberAt(path: string, limits: Limits): number {
  const value = valueAt(path, limits)
  if (typeof value !== 'number') throw new Error(`openapi/limits.yaml has no number at ${path}`)
  return value
}

function valueAt(path: string, limits: Limits): unknown {
  return path.split('.').reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), limits)
}
