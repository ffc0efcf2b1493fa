import Negotiator from 'negotiator'
import type { Language } from '../../messages/index.ts'

const LANGUAGES: Language[] = ['ar', 'en']
/** The part of a header that is read: clients list a few languages, the preferred ones first. */
const CHARACTERS_MAX = 256
const REMEMBERED_MAX = 500

/** Chooses the language of a response by `Accept-Language`. */
export type LanguageChooser = (acceptLanguage: string | undefined) => Language

/**
 * Makes a chooser that returns `fallback` for requests that accept neither language. Invalid language ranges are ignored,
 * and no value is an error.
 */
export function languageChooser(fallback: Language): LanguageChooser {
  const remembered = new Map<string, Language>()
  return (acceptLanguage) => {
    if (acceptLanguage === undefined) return fallback
    const known = remembered.get(acceptLanguage)
    if (known) return known
    const chosen = choose(acceptLanguage, fallback)
    if (remembered.size < REMEMBERED_MAX && acceptLanguage.length < 100) remembered.set(acceptLanguage, chosen)
    return chosen
  }
}

/** Lists the fallback first: `*` and equal weights choose the first language. */
function choose(acceptLanguage: string, fallback: Language): Language {
  const available = [fallback, ...LANGUAGES.filter((language) => language !== fallback)]
  const negotiator = new Negotiator({ headers: { 'accept-language': rangesIn(acceptLanguage) } })
  return (negotiator.language(available) as Language | undefined) ?? fallback
}

/** Returns the complete ranges of a header. Locales of POSIX, such as `ar_SA.UTF-8@calendar=gregorian`, become ranges. */
function rangesIn(acceptLanguage: string): string {
  const start = acceptLanguage.slice(0, CHARACTERS_MAX)
  const complete = start === acceptLanguage ? start : start.replace(/(?:^|,)[^,]*$/, '')
  return complete.replaceAll(/((?:^|,)[^,;.@]*)[.@][^,;]*/g, '$1').replaceAll('_', '-')
}
