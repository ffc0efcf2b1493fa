// Draws changes of valid profile forms: right, wrong and borderline values of every field.
import fc from 'fast-check'
import { PDF } from '../files/files.ts'
import { PNG } from '../accounts/profile-forms.ts'
import type { FileValue, FormValues } from './form-values.ts'

export type Change = Readonly<{ field: string; value: unknown }>

const file = (type: string, bytes: Buffer): FileValue => ({ type, bytes })
const PICTURE = file('image/png', Buffer.from(PNG, 'base64'))
const DOCUMENT = file('application/pdf', PDF)
const GIF = file('image/gif', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
const LARGE = file('application/pdf', Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]))

const CHARACTERS = [
  ...['س', 'ع', 'A', 'z', 'ö', '字', '5', '٥', '-', '.', '/', '😀', '👩‍⚖️', 'ﷺ'],
  ...[' ', '\t', '\n', '\r\n', '\u00A0', '\u2003', '\u2028'],
  ...[
    '\u200B',
    '\u200C',
    '\u200D',
    '\u2060',
    '\uFEFF',
    '\u00AD',
    '\u200E',
    '\u200F',
    '\u061C',
    '\uFE0F',
    '\u3164',
    '\u2800',
  ],
  ...[
    '\u202A',
    '\u202E',
    '\u2066',
    '\u2069',
    '\uFFFD',
    '\u0000',
    '\u0007',
    '\u0085',
    '\u009F',
    '\u0301',
    '\u064B',
    '\u0651',
  ],
]
const text = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', 'سعد', 'مكتب المحاماة', 'O’Brien & Sons', 'a\nb') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(49, 50, 51, 100, 101, 160, 161, 2000, 2001).map((length) => 'س'.repeat(length)),
  },
  { weight: 1, arbitrary: fc.constantFrom(50, 51).map((length) => '😀'.repeat(length)) },
)
const id = fc.oneof(
  fc.integer({ min: -1, max: 12 }),
  fc.constantFrom(40, 101, 102, 201, 682, 784, 2 ** 31 - 1, 2 ** 31, 1.5, 'x', ''),
)
const ids = fc.array(fc.oneof(fc.constantFrom(1, 2, 3, 8, 40, 101, 102), id), { maxLength: 4 })
const coordinate = fc.oneof(
  fc.integer({ min: -200_000_000, max: 200_000_000 }).map((micro) => micro / 1_000_000),
  fc.constantFrom(-180, 180, 180.000001, -90, 90, 90.000001, 0, 'north', ''),
)
const anyFile = fc.constantFrom(PICTURE, DOCUMENT, GIF, LARGE, PICTURE, DOCUMENT, undefined)
const licences = fc.dictionary(fc.constantFrom('101', '102', '103', '0101', '0', 'x', '9999999999'), text, {
  maxKeys: 3,
})

/** The values of each field; the others have those of their kind. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.constantFrom(
    '',
    'a',
    'a@b',
    'a@@demo.test',
    'a b@demo.test',
    'سارة@demo.test',
    `${'a'.repeat(250)}@demo.test`,
  ),
  phone: fc.constantFrom('', '05', 'x', 'phone', '05000000010500000001050000000105', '\u202E0500000001'),
  phone_code: fc.constantFrom('966', '+966', '00966', '٩٦٦', '', 'SA', '96600', '+', ' 966'),
  otp: fc.constantFrom('493027', '٤٩٣٠٢٧', '12345', '1234567', 'abcdef', ''),
  password: fc.constantFrom(
    '',
    'short',
    'x'.repeat(257),
    'olive-harbour-58-lantern',
    'olive\u202Eharbour-58-lantern',
    'olive-harbour-58\u0007',
  ),
  type: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('x', '', 1.5)),
  gender: fc.constantFrom('Male', 'Female', 'male', '', 'ذكر'),
  identity_type: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('', 'x')),
  national_id: fc.constantFrom(
    '1012345672',
    '٢٠٠٠٠٠٠٠٠٦',
    'A1234567',
    '1234',
    '',
    '1'.repeat(21),
    'A 12345',
    'A\u200B12345',
  ),
  longitude: coordinate,
  latitude: coordinate,
  day: fc.oneof(fc.integer({ min: 27, max: 32 }), fc.constantFrom(0, 1, 1.5, 'x', '')),
  month: fc.oneof(fc.integer({ min: 0, max: 13 }), fc.constantFrom(2, 2, 4, 'x', '')),
  year: fc.oneof(
    fc.integer({ min: 1895, max: 2015 }),
    fc.constantFrom(1300, 1409, 1500, 1501, 1900, 2000, 2200, 2201, 88, 'x', ''),
  ),
  languages: ids,
  sections: ids,
  license_no: fc.oneof(licences, fc.constantFrom('', [], 'x')),
  degree: fc.oneof(fc.integer({ min: 0, max: 8 }), id),
  account_type: fc.constantFrom('client', 'lawyer', 'judge', ''),
  nickname: text,
}
const TEXTS = /name$|^about$|^other_degree$|licences_no$/
const FILES = /_image$|_file$|_photo$|certificate$|^logo$/

/** Changes that depend on each other */
const TOGETHER: fc.Arbitrary<readonly Change[]> = fc.oneof(
  fc.record({ day: valuesOf('day'), month: valuesOf('month'), year: valuesOf('year') }).map(toChanges),
  fc.record({ sections: ids, license_no: licences }).map(toChanges),
  fc
    .uniqueArray(fc.constantFrom(101, 102, 103), { maxLength: 3 })
    .map((sections) => toChanges({ sections, license_no: Object.fromEntries(sections.map((each) => [each, '38/1'])) })),
  fc
    .record({ type: valuesOf('type'), company_name: text, company_licences_no: text, company_license_file: anyFile })
    .map(toChanges),
  fc.record({ degree: valuesOf('degree'), other_degree: text, degree_certificate: anyFile }).map(toChanges),
  fc.record({ country_id: fc.constantFrom(682, 784, 400), region_id: id, city_id: id }).map(toChanges),
  fc
    .record({ general_specialty: id, accurate_specialty: fc.constantFrom(101, 102, 201, 202, 301, 999) })
    .map(toChanges),
)

/** Draws lists of changes of the form with these fields. The same seed draws the same changes. */
export function drawChanges(fields: readonly string[], seed: number, count: number): (readonly Change[])[] {
  const one = fc
    .constantFrom(...fields, 'nickname')
    .chain((field) =>
      fc.oneof(
        { weight: 8, arbitrary: valuesOf(field).map((value) => ({ field, value })) },
        { weight: 1, arbitrary: fc.constant({ field, value: undefined }) },
      ),
    )
  const several = fc.oneof(
    { weight: 3, arbitrary: fc.array(one, { maxLength: 3 }) },
    { weight: 2, arbitrary: TOGETHER.map((changes) => changes.filter(({ field }) => fields.includes(field))) },
  )
  return fc.sample(several, { seed, numRuns: count })
}

/** Applies changes to a form; `undefined` removes a field. */
export function changeForm(form: FormValues, changes: readonly Change[]): FormValues {
  const changed = { ...form, ...Object.fromEntries(changes.map(({ field, value }) => [field, value])) }
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
}

function valuesOf(field: string): fc.Arbitrary<unknown> {
  if (FILES.test(field)) return anyFile
  return VALUES[field] ?? (TEXTS.test(field) ? text : id)
}

function toChanges(values: object): readonly Change[] {
  return Object.entries(values).map(([field, value]) => ({ field, value: value as unknown }))
}
