import type { Language } from '../../../domain/phones/sms.ts'

/** A voice of each language, and the name that Twilio gives the language: https://www.twilio.com/docs/voice/twiml/say/text-speech */
const VOICES: Readonly<Record<Language, string>> = {
  ar: 'language="arb" voice="Polly.Zeina"',
  en: 'language="en-US" voice="Polly.Joanna"',
}

/** Returns a document of verbs, which Twilio runs in order. The call ends after the last one. */
export function toTwiml(...verbs: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join('')}</Response>`
}

/** Returns a verb that reads a text aloud. */
export function sayTwiml(text: string, language: Language): string {
  return `<Say ${VOICES[language]}>${escapeXml(text)}</Say>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
