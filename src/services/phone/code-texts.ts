import { LIMITS } from '../../../generated/limits.ts'
import type { CodePurpose } from '../../domain/phones/code-window.ts'
import type { CodeTexts } from '../../domain/phones/sms.ts'
import { fillIn, say, type Language } from '../../messages/index.ts'

/** The text of each purpose. The one for resets warns that the code sets a new password. */
const TEXTS = { verification: 'otp_text', reset: 'reset_otp_text' } as const
const SPEECHES = { verification: 'otp_speech', reset: 'reset_otp_speech' } as const

type About = Readonly<{ code: string; purpose: CodePurpose; language: Language }>

/** Returns the text of a message with a code, and what a call says instead. */
export function writeCode({ code, purpose, language }: About, own: CodeTexts): { text: string; speech: string } {
  const values = { code, minutes: LIMITS.otp.confirm_minutes }
  const template = own[purpose]?.[language]
  const text = template === undefined ? say(language, TEXTS[purpose], values) : fillIn(template, language, values)
  return { text, speech: say(language, SPEECHES[purpose], { digits: [...code].join(', ') }) }
}
