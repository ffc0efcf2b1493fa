import { TawthiqError, type PasskeyErrorCode } from '../errors.ts'
import { localMessage } from '../local-messages.ts'
import type { Language } from '../options.ts'

type Code = PasskeyErrorCode | 'aborted'
/** The operation that returned the options of a dialog */
type DialogId = 'beginPasskey' | 'beginPasskeyLogin' | 'beginPasskeyReauthentication'

const MESSAGES: Record<Language, Record<PasskeyErrorCode, string>> = {
  ar: {
    cancelled: 'لم يُستخدم مفتاح مرور. حاول مرة أخرى أو اختر طريقة أخرى.',
    known: 'على هذا الجهاز مفتاح مرور لحسابك.',
    domain_wrong: 'مفاتيح المرور غير متاحة في هذا الموقع.',
    unsupported: 'هذا الجهاز أو المتصفح لا يدعم مفاتيح المرور.',
    failed: 'تعذّر استخدام مفتاح المرور. حاول مرة أخرى.',
  },
  en: {
    cancelled: 'No passkey was used. Try again, or choose another way.',
    known: 'This device already has a passkey of your account.',
    domain_wrong: 'Passkeys are not available on this site.',
    unsupported: 'This device or browser does not support passkeys.',
    failed: 'The passkey could not be used. Try again.',
  },
}

/** The names of the exceptions of WebAuthn Level 3 */
const CODES: Record<string, Code> = {
  NotAllowedError: 'cancelled',
  AbortError: 'aborted',
  InvalidStateError: 'known',
  SecurityError: 'domain_wrong',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
}

/** Returns the error of a dialog that returned no passkey, with the exception of `navigator.credentials` as its cause. */
export function passkeyError(operation: DialogId, language: Language = 'ar', cause?: unknown): TawthiqError<DialogId> {
  const name = cause instanceof Error ? cause.name : ''
  const code = cause === undefined ? 'unsupported' : (CODES[name] ?? 'failed')
  const message = code === 'aborted' ? localMessage(code, language) : MESSAGES[language][code]
  const error = new TawthiqError<DialogId>(code, { operation, message, cause })
  return Object.assign(error, { code }) // no operation of the document has these codes
}
