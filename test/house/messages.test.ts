// The messages of the service, in both languages.
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { catalogues, say, countOf, isUnit, type MessageKey } from '../../src/messages/index.ts'
import { countSegments } from '../support/sms/segments.ts'

const PLACEHOLDER = /\{(\w+)(?::(\w+)|\?[^}]*)?\}/g

const { ar, en } = catalogues
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

void t.test('an e-mail speaks of a link only if it contains one', (t) => {
  const LINK_WORDS = /\b(link|here|page)\b|رابط|هنا|الصفحة/
  const TOKEN_WORDS = /\btoken\b|الرمز المميز/
  const names = ['link', 'undo', 'consent']
  const withTokens = KEYS.filter((key) => names.some((name) => en[key].includes(`{${name}}`)))
  t.ok(withTokens.length >= 6)
  for (const language of ['ar', 'en'] as const) {
    for (const key of withTokens) {
      const textWith = (value: string): string =>
        say(language, key, Object.fromEntries(names.map((name) => [name, value])))
      t.match(textWith('https://app.example/#token=x'), LINK_WORDS, `${key}, ${language}`)
      t.match(textWith('x'), TOKEN_WORDS, `${key}, ${language}`)
      t.notMatch(textWith('x'), LINK_WORDS, `${key}, ${language}, without a page`)
    }
  }
  t.end()
})

void t.test('Arabic messages spell tanween in one way', (t) => {
  for (const key of KEYS) t.notMatch(ar[key], /\u064B\u0627/, key)
  t.end()
})

/** The values that messages are filled in with, each as long as it can be */
const LONGEST = {
  code: '1'.repeat(LIMITS.otp.digits),
  minutes: LIMITS.otp.confirm_minutes,
  resend: ` (${LIMITS.otp.sends_per_number_per_day})`,
  email: 'a***@subdomain.examp',
  hours: LIMITS.recovery.hold_hours,
}
const LONGEST_UNDO = { code: `${'W'.repeat(5)}-${'W'.repeat(5)}`, days: LIMITS.email.undo_days }

/** Messages that are sent by SMS, and their longest text in segments: codes fit into one, and notices into two. */
const SMS_SEGMENTS = KEYS.flatMap((key): [MessageKey, number][] => {
  if (key.endsWith('otp_text') || key.endsWith('undo_sms')) return [[key, 1]]
  return key.endsWith('_sms') || key === 'email_released_text' ? [[key, 2]] : []
})

void t.test('a code fits into one SMS, and a notice into two', (t) => {
  t.ok(SMS_SEGMENTS.length >= 5)
  for (const [key, segments] of SMS_SEGMENTS)
    for (const language of ['ar', 'en'] as const) {
      const text = say(language, key, key.endsWith('undo_sms') ? LONGEST_UNDO : LONGEST)
      t.notMatch(text, /[{}]/)
      t.ok(countSegments(text) <= segments, `${key} ${language}: ${countSegments(text)} SMS, ${text}`)
    }
  t.end()
})

void t.test('a code says what it is for', (t) => {
  t.match(say('en', 'otp_text', LONGEST), 'confirms your phone number')
  t.match(say('ar', 'otp_text', LONGEST), 'تأكيد جوالك')
  t.match(say('en', 'reset_otp_text', LONGEST), 'NEW PASSWORD')
  t.match(say('ar', 'reset_otp_text', LONGEST), 'كلمة مرور جديدة')
  t.end()
})
