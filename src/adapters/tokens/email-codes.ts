import type { Codes } from './otp-codes.ts'

/** A code is valid only for this account, address and window. */
type Subject = Readonly<{ accountId: number; email: string; windowId: string }>

/** One-time passwords that are sent by e-mail. */
export type EmailCodes = {
  newWindowId(): string
  codeFor(subject: Subject): string
  isRight(subject: Subject, code: string): boolean
}

/** Derives codes like those sent by SMS. The label differs from any phone number, so no code is valid for both. */
export function emailCodes(codes: Codes): EmailCodes {
  const toWindow = ({ accountId, email, windowId }: Subject): Parameters<Codes['codeFor']>[0] => ({
    windowId,
    purpose: 'verification',
    phone: `e-mail of account ${accountId}: ${email}`,
  })
  return {
    newWindowId: () => codes.newWindowId(),
    codeFor: (subject) => codes.codeFor(toWindow(subject)),
    isRight: (subject, code) => codes.isRight(toWindow(subject), code),
  }
}
