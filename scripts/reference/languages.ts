import isoLanguages from 'iso-639-1'
import { mergeRows, type Row } from './rows.ts'
import { loadNames } from './names.ts'

/** `iso` is ISO 639-1. */
export type Language = Row & { iso: string }

/** Returns the languages of ISO 639-1. Ids follow the order of the codes; a new language gets the next free id. */
export function buildLanguages(before: readonly Language[]): Language[] {
  const namesIn = loadNames('language', CORRECTIONS)
  const ids = new Map(before.map(({ iso, id }) => [iso, id]))
  let last = Math.max(0, ...ids.values())
  const codes = isoLanguages.getAllCodes().toSorted((a, b) => a.localeCompare(b, 'en'))
  const fresh = codes.map((iso) => {
    const { ar, en } = namesIn(iso)
    return { id: ids.get(iso) ?? ++last, name_ar: ar, name_en: en, iso }
  })
  return mergeRows(before, fresh)
}

/** Where the names of the CLDR are not the usual ones, or two languages would have one name. */
const CORRECTIONS = {
  bn: { en: 'Bengali' },
  cu: { ar: 'السلافية الكنسية' },
  cv: { ar: 'التشوفاشية' },
  da: { ar: 'الدنماركية' },
  fy: { ar: 'الفريزية الغربية' },
  hu: { ar: 'المجرية' },
  ia: { ar: 'الإنترلينغوا' },
  ie: { ar: 'الإنترلينغ' },
  ii: { ar: 'يي سيتشوان' },
  iu: { ar: 'الإنكتيتوت' },
  kn: { ar: 'الكنادية' },
  mg: { ar: 'الملغاشية' },
  ms: { ar: 'الملايوية' },
  na: { ar: 'الناورية' },
  nr: { ar: 'النديبيل الجنوبية' },
  os: { ar: 'الأوسيتية' },
  se: { ar: 'السامية الشمالية' },
  sl: { ar: 'السلوفينية' },
  tl: { ar: 'التاغالوغية', en: 'Tagalog' },
  ts: { ar: 'التسونغا' },
  tw: { ar: 'التوي', en: 'Twi' },
  vo: { ar: 'الفولابوك' },
  za: { ar: 'التشوانغ' },
}
