import { LIMITS } from '../../../generated/limits.ts'
import type { PhoneVerification } from '../../domain/phones/phone-verification.ts'
import type { CodeTexts, Speech } from '../../domain/phones/sms.ts'
import { fillIn, say, type Language } from '../../messages/index.ts'

/** The text of each purpose. It says what the code is for. */
const TEXTS = { verification: 'otp_text', reset: 'reset_otp_text' } as const

type About = Readonly<{ code: string; window: PhoneVerification; language: Language }>

/** Returns the text of a message with the code of a window, and what a call says instead. Calls set no password. */
export function writeCode(
  { code, window, language }: About,
  own: CodeTexts,
): { text: string; speech: Speech | undefined } {
  const { purpose } = window
  const values = { code, minutes: LIMITS.otp.confirm_minutes, resend: markResend(window) }
  const template = own[purpose]?.[language]
  const text = template === undefined ? say(language, TEXTS[purpose], values) : fillIn(template, language, values)
  if (purpose === 'reset') return { text, speech: undefined }
  const prompt = say(language, 'otp_prompt', { key: '{key}' })
  return { text, speech: { prompt, text: say(language, 'otp_speech', { digits: [...code].join(', ') }) } }
}

/** Returns the end of the text of a code that is sent again, such as ` (2)`. */
function markResend({ sends, startedAtMs }: PhoneVerification): string {
  const count = sends.filter(({ atMs }) => atMs >= startedAtMs).length
  return count > 1 ? ` (${count})` : ''
}
