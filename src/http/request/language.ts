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

/** A range (RFC 4647, 2.1) or a locale of POSIX, such as `ar_SA@calendar=gregorian`, and its weight */
const RANGE = /^(\*|[a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)(?:[.@][^;]*)?(;.*)?$/i

/** Returns the valid language ranges of a header, in the syntax of RFC 9110, 12.5.4. */
function rangesIn(acceptLanguage: string): string {
  const isCut = acceptLanguage.length > CHARACTERS_MAX
  const members = acceptLanguage.slice(0, CHARACTERS_MAX).split(',')
  if (isCut) members.pop() // it may be cut
  return members
    .flatMap((member) => {
      const [, range, weight = ''] = RANGE.exec(member.trim()) ?? []
      return range === undefined ? [] : [range.replaceAll('_', '-') + weight]
    })
    .join()
}
