import Negotiator from 'negotiator'
import type { Language } from '../messages/index.ts'

const LANGUAGES: Language[] = ['ar', 'en']
const REMEMBERED_MAX = 500

/** Chooses the language of a response by `Accept-Language`. */
export type LanguageChooser = (acceptLanguage: string | undefined) => Language

/** Makes a chooser that falls back to one language when a request asks for neither. */
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

/** `*` is whatever the fallback is, so that the fallback stands first among equals. */
function choose(acceptLanguage: string, fallback: Language): Language {
  const available = [fallback, ...LANGUAGES.filter((language) => language !== fallback)]
  const negotiator = new Negotiator({ headers: { 'accept-language': acceptLanguage } })
  return (negotiator.language(available) as Language | undefined) ?? fallback
}
