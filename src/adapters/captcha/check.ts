import { Agent } from 'undici'
import { CONNECT_MS_MAX, missingResult, requestVerification, type Verifier } from './siteverify.ts'

/** No widget creates this token. */
const INVALID_SOLUTION = 'tawthiq-doctor'
/** An address for documentation (RFC 5737), because there is no client */
const ADDRESS = '192.0.2.1'

/**
 * Resolves to whether the verifier accepts a solution that is not valid, as it does with the secrets for tests.
 *
 * @throws Error if it cannot be reached, rejects the secret, or returns no result
 */
export async function acceptsInvalidSolution(verifier: Verifier, signal: AbortSignal): Promise<boolean> {
  const dispatcher = new Agent({ connect: { timeout: CONNECT_MS_MAX } })
  try {
    const attempt = { solution: INVALID_SOLUTION, address: ADDRESS, signal, dispatcher }
    const { statusCode, isValid } = await requestVerification(verifier, attempt)
    if (isValid === undefined) throw missingResult(statusCode)
    return isValid
  } finally {
    await dispatcher.destroy()
  }
}
