export type Names = { ar: string; en: string }

/**
 * The names of countries or languages as the Unicode CLDR has them in this Node, corrected where `corrections` says so.
 * Fails for a code that has no name.
 */
export function loadNames(
  type: 'region' | 'language',
  corrections: Readonly<Record<string, Partial<Names>>>,
): (code: string) => Names {
  const [ar, en] = ['ar', 'en'].map((locale) => new Intl.DisplayNames(locale, { type, fallback: 'none' }))
  return (code) => {
    const names = { ar: ar?.of(code), en: spellOut(en?.of(code)), ...corrections[code] }
    if (!names.ar || !names.en) throw new Error(`Node has no name of the ${type} ${code}`)
    return { ar: names.ar, en: names.en }
  }
}

function spellOut(name: string | undefined): string | undefined {
  return name?.replace(/^St\. /, 'Saint ').replace(' & ', ' and ')
}
