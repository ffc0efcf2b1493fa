// What the service says, in both languages.
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { ar } from '../../src/messages/ar.ts'
import { en } from '../../src/messages/en.ts'
import { say } from '../../src/messages/index.ts'

/** GSM 03.40: a single SMS holds 160 letters of the Latin alphabet, or 70 of any. */
const SMS_LENGTH_MAX = { ar: 70, en: 160 }

void t.test('both languages have the same values in the same sentences', (t) => {
  const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  for (const key of Object.keys(en) as (keyof typeof en)[]) t.same(placeholders(ar[key]), placeholders(en[key]), key)
  t.end()
})

void t.test('a code fits into one SMS', (t) => {
  const values = { code: '1'.repeat(LIMITS.otp.digits), minutes: LIMITS.otp.confirm_minutes }
  for (const language of ['ar', 'en'] as const)
    t.ok(say(language, 'otp_text', values).length <= SMS_LENGTH_MAX[language], language)
  t.end()
})
