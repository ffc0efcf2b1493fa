// Which numbers of identity documents are plausible.
import fc from 'fast-check'
import t from 'tap'
import { nationalIdCheck, nationalIdFailures } from '../../src/domain/profiles/national-id.ts'
import type { IdentityType } from '../../src/domain/profiles/profile.ts'
import { withCheckDigit } from '../support/accounts/national-ids.ts'

const NATIONAL_ID = 1
const PASSPORT = 2
const RESIDENT_ID = 3

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit))
const digit = fc.integer({ min: 0, max: 9 })
const numbered = fc
  .tuple(fc.constantFrom(NATIONAL_ID, RESIDENT_ID), fc.array(digit, { minLength: 8, maxLength: 8 }))
  .map(
    ([type, digits]) =>
      ({ type, number: withCheckDigit(`${type === NATIONAL_ID ? 1 : 2}${digits.join('')}`) }) as const,
  )

const isPlausible = (nationalId: string, identityType: IdentityType): boolean =>
  nationalIdCheck({ nationalId, identityType }) === 'plausible'

void t.test('accepts a valid check digit for the matching document type only', (t) => {
  fc.assert(
    fc.property(numbered, ({ type, number }) => {
      return isPlausible(number, type) && !isPlausible(number, type === NATIONAL_ID ? RESIDENT_ID : NATIONAL_ID)
    }),
  )
  t.end()
})

void t.test('detects every wrong digit', (t) => {
  fc.assert(
    fc.property(numbered, ({ type, number }) =>
      [...number].every((right, at) =>
        DIGITS.every(
          (other) => other === right || !isPlausible(number.slice(0, at) + other + number.slice(at + 1), type),
        ),
      ),
    ),
  )
  t.end()
})

void t.test('detects every transposition of neighbouring digits except 0 and 9', (t) => {
  fc.assert(
    fc.property(numbered, ({ type, number }) =>
      [...number.slice(1)].every((second, at) => {
        const first = number.charAt(at)
        const isSame = first === second
        const isUndetected = at > 0 && [first, second].sort().join('') === '09'
        const transposed = `${number.slice(0, at)}${second}${first}${number.slice(at + 2)}`
        return isPlausible(transposed, type) === (isSame || isUndetected)
      }),
    ),
  )
  t.end()
})

void t.test('validates the format of each document type', (t) => {
  const plausible: Record<IdentityType, string[]> = {
    [NATIONAL_ID]: ['1012345672', '1087654321', '1099999995', '1000000008'],
    [PASSPORT]: ['A1234567', 'a1234567', 'AB123456', '123456', '123456789', 'ABCDE1'],
    [RESIDENT_ID]: ['2000000006', '2012345670'],
  }
  const implausible: Record<IdentityType, string[]> = {
    [NATIONAL_ID]: [
      ...['1012345678', '1012345670', '2000000006', '3012345678', '0000000000', '1111111111'],
      ...['101234567', '10123456720', '1-012345672', 'A1234567', '١٠١٢٣٤٥٦٧٢', ' 1012345672', '1012345672\n', ''],
    ],
    [PASSPORT]: ['ABCDEFGH', 'A1234', 'A123456789', 'A-123456', 'A 12345', 'А1234567', 'A1234567\n', ''],
    [RESIDENT_ID]: ['2012345678', '1012345672', '200000000', '20000000060', 'A1234567', ''],
  }
  for (const type of [NATIONAL_ID, PASSPORT, RESIDENT_ID] as const) {
    for (const number of plausible[type]) t.ok(isPlausible(number, type), `${type}: ${JSON.stringify(number)}`)
    for (const number of implausible[type]) t.notOk(isPlausible(number, type), `${type}: ${JSON.stringify(number)}`)
  }
  t.end()
})

void t.test('ignores a lawyer without a number', (t) => {
  for (const absent of [undefined, null, { nationalId: null, identityType: null }])
    t.equal(nationalIdCheck(absent), null)
  t.end()
})

void t.test('never rejects the stored number of the stored type', (t) => {
  const stored = { nationalId: '1012345678', identityType: NATIONAL_ID } as const
  const refused = { national_id: ['national_id_implausible'] }
  t.same(nationalIdFailures(stored, stored), {})
  t.same(nationalIdFailures(stored, undefined), refused)
  t.same(nationalIdFailures({ ...stored, identityType: RESIDENT_ID }, stored), refused, 'another type')
  t.same(nationalIdFailures({ ...stored, nationalId: '1012345679' }, stored), refused, 'another number')
  t.same(nationalIdFailures({ ...stored, nationalId: '1012345672' }, stored), {})
  t.end()
})
