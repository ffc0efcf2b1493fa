// Calls that read a code aloud only after a key was pressed, so that no code is left on a voicemail.
import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { LIMITS } from '../../../generated/limits.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Language } from '../../domain/phones/sms.ts'
import type { Seal } from '../keys/seal.ts'
import type { SmsMessage } from './index.ts'

/** What a call says once its key was pressed. It travels encrypted in the URL to which the provider posts the key. */
type PendingSpeech = Readonly<{ key: string; text: string; language: Language; untilMs: number }>

export type KeyPresses = Readonly<{
  /** Returns the TwiML of a call that asks for a key, twice if none is pressed, and has it posted to the URL. */
  ask(message: SmsMessage, url: string): string
  /** Returns the TwiML after a key was pressed. Unless it is the key of the call, and the code still valid, the call ends. */
  answer(call: string, pressed: unknown): Readonly<{ stream: Readable; bytes: number }>
}>

/** A voice of each language, and the name that Twilio gives the language: https://www.twilio.com/docs/voice/twiml/say/text-speech */
const VOICES: Readonly<Record<Language, string>> = {
  ar: 'language="arb" voice="Polly.Zeina"',
  en: 'language="en-US" voice="Polly.Joanna"',
}

const WAIT_SECONDS = 8

/**
 * Each call asks for another key, because the greeting of a voicemail can contain the tone of a fixed one. The first key that
 * is pressed decides.
 *
 * @see https://www.twilio.com/docs/voice/twiml/gather
 */
export function keyPresses(seal: Seal<unknown>, clock: Pick<Clock, 'nowMs'>): KeyPresses {
  return {
    ask({ text, prompt = '', language }, url) {
      const key = String(randomInt(1, 10))
      const untilMs = clock.nowMs() + LIMITS.otp.confirm_minutes * 60_000
      const pending: PendingSpeech = { key, text, language, untilMs }
      const action = `${url}?call=${Buffer.from(seal.seal(pending)).toString('base64url')}`
      const said = sayTwiml(prompt.replace('{key}', key), language)
      const gather = `<Gather numDigits="1" timeout="${WAIT_SECONDS}" action="${action}">${said}</Gather>`
      return toTwiml(gather, gather)
    },
    answer(call, pressed) {
      const pending = seal.open(Buffer.from(call, 'base64url')) as PendingSpeech | undefined // sealed above
      const isRight = pending && pressed === pending.key && pending.untilMs > clock.nowMs()
      const content = Buffer.from(toTwiml(isRight ? sayTwiml(pending.text, pending.language) : '<Hangup/>'))
      return { stream: Readable.from([content]), bytes: content.length }
    },
  }
}

/** Returns a document of verbs, which Twilio runs in order. The call ends after the last one. */
function toTwiml(...verbs: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join('')}</Response>`
}

function sayTwiml(text: string, language: Language): string {
  return `<Say ${VOICES[language]}>${escapeXml(text)}</Say>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
