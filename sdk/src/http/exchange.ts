import type { WithResponse } from '../call.ts'
import type { OperationId, Schemas } from '../contract.ts'
import { abortable, withDeadline } from './deadline.ts'
import { TawthiqError, type LocalErrorCode } from '../errors.ts'
import { localMessage } from '../local-messages.ts'
import type { CallOptions, ClientOptions, Language } from '../options.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { buildRequest, operationOf, type Input } from './request.ts'
import { readResponse } from './response.ts'
import { retry } from './retry.ts'
import { openSessions, toSession, type Sessions } from '../session/sessions.ts'
import { memoryStore } from '../session/stores.ts'
import { fetchTransport, progressTransport, type Incoming } from './transport.ts'

const TIMEOUT_MS = 30_000
/** Operations after which the service rejects the tokens */
const ENDS_SESSION: OperationId[] = ['logout', 'requestAccountDeletion']

export type Exchange = {
  /** Sends a request, with the session, retries and a timeout. */
  call(input: Input): Promise<WithResponse<unknown>>
  sessions: Sessions
}

export function openExchange({ url, store, session, language, fetch, timeout }: ClientOptions): Exchange {
  const viaFetch = fetchTransport(fetch)
  const languageOf = (options: CallOptions): Language | undefined =>
    options.language ?? (typeof language === 'function' ? language() : language)

  const attempt = (input: Input, token?: string): Promise<Incoming> => {
    const { id, options } = input
    const request = buildRequest(url, input, { token, language: languageOf(options) })
    const { onProgress, signal } = options
    const transport = onProgress && 'XMLHttpRequest' in globalThis ? progressTransport(onProgress) : viaFetch
    const limits = { timeout: options.timeout ?? timeout ?? TIMEOUT_MS, signal }
    return withDeadline(limits, failureOf(id, languageOf(options)), (inTime) =>
      transport({ ...request, signal: inTime }),
    )
  }

  const refresh = async (refreshToken: string): Promise<Schemas['AuthenticationResult']> => {
    const input: Input = { id: 'refreshToken', body: { refresh_token: refreshToken }, options: {} }
    const data = await readResponse(input.id, await attempt(input), languageOf({}))
    return data as Schemas['AuthenticationResult'] // of refreshToken
  }
  const sessions = openSessions(store ?? memoryStore(), session, refresh)

  const call = async (given: Input): Promise<WithResponse<unknown>> => {
    const { id, options } = given
    const { method, token: sendsToken, tokens: returnsTokens, idempotent: isIdempotent = false } = operationOf(id)
    const input = isIdempotent ? withIdempotencyKey(given) : given
    const send = (token?: string): Promise<Incoming> =>
      method === 'GET' || isIdempotent ? retry(() => attempt(input, token)) : attempt(input, token)
    const incoming = await (sendsToken ? sessions.send(send) : send())
    const data = await readResponse(id, incoming, languageOf(options))
    if (returnsTokens) await sessions.set(toSession(data as Schemas['AuthenticationResult'])) // as the table says
    if (ENDS_SESSION.includes(id)) await sessions.set(null)
    return { data, response: incoming.response }
  }

  return {
    call: (input) => abortable(input.options.signal, failureOf(input.id, languageOf(input.options)), call(input)),
    sessions,
  }
}

function failureOf(operation: OperationId, language: Language | undefined) {
  return (code: LocalErrorCode, cause?: unknown): TawthiqError =>
    new TawthiqError(code, { operation, message: localMessage(code, language), cause })
}
