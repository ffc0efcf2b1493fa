// All spellings of a phone number are parsed to the same number.
import fc from 'fast-check'
import t from 'tap'
import { phoneNumbers } from '../../src/adapters/sms/phone-numbers.ts'
import { asciiDigits, cleanInput } from '../../src/domain/inputs.ts'
import { nationalNumber, type Phone } from '../../src/domain/phones/phone.ts'
import { anyText } from '../support/cases/any-text.ts'

const numbers = phoneNumbers()
const national = fc
  .tuple(fc.constantFrom('50', '53', '54', '55', '56', '58', '59'), fc.stringMatching(/^[0-9]{7}$/))
  .map((parts) => parts.join(''))
const script = fc.constantFrom(0x30, 0x660, 0x6f0, 0xff10)
const codeForm = fc.constantFrom('966', '+966', '00966')
const prefix = fc.constantFrom('', '0', '966', '+966', '00966')

/** Reads a number as requests do. */
function read(phoneCode: string, phone: string): Phone {
  return numbers.read(cleanInput('phone', phoneCode), cleanInput('phone', phone))
}

/** Returns the same digits in another script. */
function inScript(text: string, zero: number): string {
  return text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
}

void t.test('ignores scripts of digits, prefixes, spaces and dashes', (t) => {
  const written = fc.record({
    national,
    prefix,
    codeForm,
    script,
    gaps: fc.array(fc.constantFrom('', ' ', '-', '.', '\u202C', '\u00A0', '\u2011'), { minLength: 9, maxLength: 9 }),
  })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(written, ({ national, prefix, codeForm, script, gaps }) => {
        const spaced = [...national].map((digit, at) => digit + (at < 8 ? (gaps[at] ?? '') : '')).join('')
        const phone = read(inScript(codeForm, script), inScript(prefix + spaced, script))
        return phone.e164 === `+966${national}` && phone.callingCode === '966' && nationalNumber(phone) === national
      }),
      { numRuns: 2000 },
    ),
  )
  t.end()
})

void t.test('returns a number or a field error for any input', (t) => {
  const anything = fc.oneof(anyText(), fc.stringMatching(/^[+(]?[0-9٠-٩۰-۹][0-9٠-٩۰-۹ ().-]{0,20}$/))
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anything, anything, (phoneCode, phone) => {
        try {
          return /^\+[1-9]\d{5,14}$/.test(numbers.read(phoneCode, phone).e164)
        } catch (error) {
          return (error as { code?: string }).code === 'invalid_data'
        }
      }),
      { numRuns: 5000 },
    ),
  )
  t.end()
})

void t.test('accepts numbers of other countries', (t) => {
  const cases: [code: string, phone: string, e164: string][] = [
    ['20', '01001234567', '+201001234567'],
    ['971', '050 123 4567', '+971501234567'],
    ['965', '50012345', '+96550012345'],
    ['1', '(201) 555-0123', '+12015550123'],
    ['39', '06 1234 5678', '+390612345678'],
    ['44', '07400 123456', '+447400123456'],
  ]
  for (const [code, phone, e164] of cases) t.equal(read(code, phone).e164, e164)
  t.end()
})

void t.test('converts digits only', (t) => {
  t.equal(asciiDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ 0-9 سارة'), '0123456789 0123456789 0-9 سارة')
  t.end()
})
