import isoCountries from 'i18n-iso-countries'
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max'
import { isActive, mergeRows, type Row } from './rows.ts'
import { loadNames } from './names.ts'

/** `iso2` is ISO 3166-1 alpha-2. `phone_code` is the calling code in digits, null where there is no telephone. */
export type Country = Row & { iso2: string; phone_code: string | null }

/** ISO 3166-1, and Kosovo with the codes XK and 983, which ISO leaves to its users. */
export function buildCountries(before: readonly Country[]): Country[] {
  const namesIn = loadNames('region', CORRECTIONS)
  const fresh = Object.entries(isoCountries.getNumericCodes()).map(([numeric, iso2]) => {
    const { ar, en } = namesIn(iso2)
    const phone_code = isSupportedCountry(iso2) ? getCountryCallingCode(iso2) : null
    return { id: Number(numeric), name_ar: ar, name_en: en, iso2, phone_code }
  })
  return mergeRows(before, fresh)
}

/** It has the id and the `iso2` of its country. */
export type Nationality = Row & { iso2: string }

/**
 * Returns one nationality per country. The names are maintained manually, because no maintained source has them in
 * Arabic.
 */
export function buildNationalities(before: readonly Nationality[], countries: readonly Country[]): Nationality[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const fresh = countries
    .filter(isActive)
    .map(({ id, iso2 }) => known.get(id) ?? { id, name_ar: '', name_en: '', iso2 })
  return mergeRows(before, fresh)
}

/** Where the names of the CLDR are not those that a form in Saudi Arabia shows. */
const CORRECTIONS = {
  BQ: { ar: 'الجزر الكاريبية الهولندية' },
  CD: { ar: 'جمهورية الكونغو الديمقراطية', en: 'Democratic Republic of the Congo' },
  CG: { ar: 'جمهورية الكونغو', en: 'Republic of the Congo' },
  DK: { ar: 'الدنمارك' },
  GG: { ar: 'غيرنسي' },
  GS: { en: 'South Georgia and the South Sandwich Islands' },
  HK: { ar: 'هونغ كونغ', en: 'Hong Kong' },
  HM: { en: 'Heard Island and McDonald Islands' },
  HU: { ar: 'المجر' },
  MF: { ar: 'سان مارتن (الجزء الفرنسي)', en: 'Saint Martin (French part)' },
  MM: { ar: 'ميانمار', en: 'Myanmar' },
  MO: { ar: 'ماكاو', en: 'Macao' },
  MQ: { ar: 'مارتينيك' },
  PM: { ar: 'سان بيير وميكلون' },
  PS: { ar: 'فلسطين', en: 'Palestine' },
  RE: { ar: 'ريونيون' },
  SX: { ar: 'سانت مارتن (الجزء الهولندي)', en: 'Sint Maarten (Dutch part)' },
  TL: { ar: 'تيمور الشرقية' },
  UM: { ar: 'جزر الولايات المتحدة الصغيرة النائية', en: 'United States Minor Outlying Islands' },
  UY: { ar: 'أوروغواي' },
  VC: { en: 'Saint Vincent and the Grenadines' },
  VG: { ar: 'جزر العذراء البريطانية' },
  VI: { ar: 'جزر العذراء الأمريكية', en: 'United States Virgin Islands' },
}
