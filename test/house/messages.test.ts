// The messages of the service, in both languages.
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { ar } from '../../src/messages/ar.ts'
import { en } from '../../src/messages/en.ts'
import { say } from '../../src/messages/index.ts'
import { countOf, isUnit } from '../../src/messages/units.ts'

/** GSM 03.40: a single SMS has at most 160 characters of the Latin alphabet, or 70 of any script. */
const SMS_LENGTH_MAX = { ar: 70, en: 160 }
const PLACEHOLDER = /\{(\w+)(?::(\w+))?\}/g

const KEYS = Object.keys(en) as (keyof typeof en)[]

void t.test('a message has the same values in both languages', (t) => {
  const names = (message: string): string[] => [...message.matchAll(PLACEHOLDER)].map(([, name = '']) => name).sort()
  for (const key of KEYS) t.same(names(ar[key]), names(en[key]), key)
  t.end()
})

void t.test('a message uses known units only', (t) => {
  const messages = [...Object.values(ar), ...Object.values(en)]
  const units = messages.flatMap((message) => [...message.matchAll(PLACEHOLDER)].flatMap(([, , unit]) => unit ?? []))
  t.ok(units.length > 0)
  for (const unit of units) t.ok(isUnit(unit), unit)
  t.end()
})

void t.test('a number has the plural form of its unit', (t) => {
  const counts = [1, 2, 3, 10, 11, 99, 100, 103]
  const arabic = ['يوم واحد', 'يومين', '3 أيام', '10 أيام', '11 يوماً', '99 يوماً', '100 يوم', '103 أيام']
  t.same(
    counts.map((count) => countOf('ar', 'day', count)),
    arabic,
  )
  t.same(
    [1, 2, 11].map((count) => countOf('en', 'minute', count)),
    ['1 minute', '2 minutes', '11 minutes'],
  )
  t.match(say('ar', 'otp_text', { code: '123456', minutes: 5 }), 'لمدة 5 دقائق.')
  t.match(say('ar', 'reset_mail_text', { link: '', minutes: 15 }), 'خلال 15 دقيقة:')
  t.end()
})

void t.test('Arabic messages spell tanween in one way', (t) => {
  for (const key of KEYS) t.notMatch(ar[key], /\u064B\u0627/, key)
  t.end()
})

void t.test('a code fits into one SMS', (t) => {
  const values = { code: '1'.repeat(LIMITS.otp.digits), minutes: LIMITS.otp.confirm_minutes }
  for (const language of ['ar', 'en'] as const)
    t.ok(say(language, 'otp_text', values).length <= SMS_LENGTH_MAX[language], language)
  t.end()
})
