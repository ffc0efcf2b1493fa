// The rules against SMS pumping: ranges of neighbouring numbers, and types of numbers.
import fc from 'fast-check'
import t from 'tap'
import { numberTypeOf } from '../../src/adapters/sms/phone-numbers.ts'
import { rangesAround, canReceiveCode } from '../../src/domain/phones/phone.ts'

const e164 = fc.integer({ min: 10_000_000, max: 999_999_999_999_999 }).map(String)
const distance = fc.constantFrom(500, 50_000)

function sharesRange(one: string, other: string, within: number): boolean {
  const ranges = rangesAround(`+${other}`, within)
  return rangesAround(`+${one}`, within).some((range, kind) => range === ranges[kind])
}

void t.test('numbers that are at most the distance apart share a range', async (t) => {
  const steps = fc.integer({ min: 0, max: 50_000 })
  const property = fc.property(e164, distance, steps, (number, within, step) =>
    sharesRange(number, String(Number(number) + Math.min(step, within)), within),
  )
  fc.assert(property)
  t.ok(sharesRange('966551239995', '966551240005', 500), 'across a border of thousands')
  t.ok(sharesRange('966551239500', '966551240000', 500))
})

void t.test('numbers that are two distances apart share no range', async (t) => {
  const property = fc.property(
    e164,
    distance,
    (number, within) => !sharesRange(number, String(Number(number) + 2 * within), within),
  )
  t.doesNotThrow(() => fc.assert(property))
})

void t.test('ranges of the two kinds have different names', async (t) => {
  const property = fc.property(e164, distance, (number, within) => {
    const [first, second] = rangesAround(`+${number}`, within).map(Number)
    return first !== second && Number(number) - (first ?? 0) < 2 * within && Number(number) - (second ?? 0) < 2 * within
  })
  t.doesNotThrow(() => fc.assert(property))
})

/** Examples of each type, which libphonenumber classifies */
const NUMBERS = {
  MOBILE: '+966551234567',
  FIXED_LINE: '+966112345678',
  FIXED_LINE_OR_MOBILE: '+12015550123',
  PREMIUM_RATE: '+449012345678',
  TOLL_FREE: '+448001234567',
  SHARED_COST: '+491803123456',
  PERSONAL_NUMBER: '+447012345678',
  VOIP: '+445612345678',
  UAN: '+445512345678',
  PAGER: '+447640123456',
  VOICEMAIL: undefined,
} as const

void t.test('knows the types of numbers', async (t) => {
  for (const [type, number] of Object.entries(NUMBERS)) if (number) t.equal(numberTypeOf(number), type, number)
  t.equal(numberTypeOf('+966'), undefined)
})

void t.test('sends codes by SMS and WhatsApp to mobile numbers only, and calls landlines too', async (t) => {
  const types = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]
  const messages = ['MOBILE', 'FIXED_LINE_OR_MOBILE']
  t.same(
    types.filter((type) => canReceiveCode(type)),
    messages,
  )
  t.same(
    types.filter((type) => canReceiveCode(type, 'whatsapp')),
    messages,
  )
  t.same(
    types.filter((type) => canReceiveCode(type, 'voice')),
    ['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE', 'VOIP'],
  )
  t.ok(canReceiveCode(undefined), 'a number whose type is unknown')
})
