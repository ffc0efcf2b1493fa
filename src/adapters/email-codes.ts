import type { Codes } from './codes.ts'

/** Whose address is verified: a code is valid for this account, this address and this window only. */
type Subject = Readonly<{ accountId: number; email: string; windowId: string }>

/** One-time passwords that are sent by e-mail. */
export type EmailCodes = {
  newWindowId(): string
  codeFor(subject: Subject): string
  isRight(subject: Subject, code: string): boolean
}

/** The same derivation as for codes by SMS. The label differs from any phone number, so that no code serves both. */
export function emailCodes(codes: Codes): EmailCodes {
  const windowOf = ({ accountId, email, windowId }: Subject): Parameters<Codes['codeFor']>[0] => ({
    windowId,
    purpose: 'verification',
    phone: `e-mail of account ${accountId}: ${email}`,
  })
  return {
    newWindowId: () => codes.newWindowId(),
    codeFor: (subject) => codes.codeFor(windowOf(subject)),
    isRight: (subject, code) => codes.isRight(windowOf(subject), code),
  }
}
