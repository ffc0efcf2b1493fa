/** Subjects whose operations are a table of their own, because not every application needs them */
export const SUBJECTS = ['admin', 'factor', 'passkey'] as const

export type Subject = (typeof SUBJECTS)[number]

const FACTORS = /Factor|Totp|RecoveryCodes/

/** Returns the subject of an operation; undefined for the main module of the SDK. */
export function subjectOf(operationId: string): Subject | undefined {
  if (operationId.startsWith('admin')) return 'admin'
  if (operationId.includes('Passkey')) return 'passkey'
  return FACTORS.test(operationId) ? 'factor' : undefined
}
