import { request, type Dispatcher } from 'undici'
import { dump, readJson } from '../resilience/http-body.ts'

/** The siteverify endpoint of a service, and the secret for it */
export type Verifier = Readonly<{ url: string; secret: string }>

/** The longest time for a connection to the verifier */
export const CONNECT_MS_MAX = 1500

/** Codes in `error-codes` that a client cannot cause */
const SECRET_ERRORS: ReadonlySet<unknown> = new Set(['missing-input-secret', 'invalid-input-secret'])

/** `isValid` is undefined if the response says nothing about the solution. */
export type VerifierResponse = Readonly<{ statusCode: number; isValid: boolean | undefined }>

type Attempt = Readonly<{ solution: string; address: string; signal: AbortSignal; dispatcher: Dispatcher }>

/**
 * Has a solution verified: a form with `secret`, `response` and `remoteip`, and a JSON response with `success`. Redirects are
 * not followed.
 *
 * @throws Error if the verifier cannot be reached, or rejects the secret
 */
export async function requestVerification(
  { url, secret }: Verifier,
  { solution, address, signal, dispatcher }: Attempt,
): Promise<VerifierResponse> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ secret, response: solution, remoteip: address }).toString(),
    signal,
    dispatcher,
  })
  const { statusCode } = response
  if (statusCode >= 500) {
    dump(response, signal)
    return { statusCode, isValid: undefined }
  }
  const json = await readJson(response)
  const { success, 'error-codes': codes } = (json ?? {}) as { success?: unknown; 'error-codes'?: unknown } // read defensively
  if (Array.isArray(codes) && codes.some((code) => SECRET_ERRORS.has(code)))
    throw new Error('The CAPTCHA verifier rejects CAPTCHA_SECRET.')
  return { statusCode, isValid: typeof success === 'boolean' ? success && statusCode < 300 : undefined }
}

/** Returns the error for a response that says nothing about the solution. */
export function missingResult(statusCode: number): Error {
  return new Error(`The CAPTCHA verifier returned ${statusCode} without a result.`)
}
