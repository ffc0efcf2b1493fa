import type { WithResponse } from '../call.ts'
import type { OperationId, Schemas } from '../contract.ts'
import { abortable, withDeadline } from './deadline.ts'
import { isTawthiqError, TawthiqError } from '../errors.ts'
import { localMessage, type LocalCause } from '../local-messages.ts'
import type { CallOptions, ClientOptions, Language } from '../options.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { buildRequest, type Input } from './request.ts'
import { readResponse } from './response.ts'
import { retry } from './retry.ts'
import { openSessions, toSession, type Sessions } from '../session/sessions.ts'
import { memoryStore, type SessionUser } from '../session/stores.ts'
import { operationOf } from '../table.ts'
import { fetchTransport, progressTransport, type Incoming } from './transport.ts'

const TIMEOUT_MS = 30_000
/** Operations after which the service rejects the tokens */
const ENDS_SESSION: OperationId[] = ['logout', 'requestAccountDeletion']

/** Its response has the address of the user, which that of `confirmEmail` does not have. */
const PROFILE: Input = { id: 'getProfile', body: undefined, options: {} }

export type Exchange = {
  /** Sends a request, with the session, retries and a timeout. */
  call(input: Input): Promise<WithResponse<unknown>>
  sessions: Sessions
  /** Returns the language of a call; undefined if the service chooses it. */
  languageOf(options?: CallOptions): Language | undefined
}

export function openExchange({ url, store, session, language, fetch, timeout }: ClientOptions): Exchange {
  const viaFetch = fetchTransport(fetch)
  const languageOf = (options: CallOptions = {}): Language | undefined =>
    options.language ?? (typeof language === 'function' ? language() : language)

  const failureOf =
    ({ id: operation, options }: Input) =>
    (code: LocalCause, cause?: unknown): TawthiqError =>
      new TawthiqError(code, { operation, message: localMessage(code, languageOf(options)), cause })

  const attempt = (input: Input, token?: string): Promise<Incoming> => {
    const { options } = input
    const request = buildRequest(url, input, { token, language: languageOf(options) })
    const { onProgress, signal } = options
    const isObserved = request.body !== undefined && 'XMLHttpRequest' in globalThis
    const transport = onProgress && isObserved ? progressTransport(onProgress) : viaFetch
    const limits = { timeout: options.timeout ?? timeout ?? TIMEOUT_MS, signal }
    return withDeadline(limits, failureOf(input), (inTime) => transport({ ...request, signal: inTime }))
  }

  const refresh = async (refreshToken: string): Promise<Schemas['AuthenticationResult']> => {
    const input: Input = { id: 'refreshToken', body: { refresh_token: refreshToken }, options: {} }
    const data = await readResponse(input.id, await attempt(input), languageOf())
    return data as Schemas['AuthenticationResult'] // of refreshToken
  }
  const sessions = openSessions(store ?? memoryStore(), session, refresh)

  const call = async (given: Input, sendInSession = sessions.send): Promise<WithResponse<unknown>> => {
    const { id, options } = given
    const { method, takes, returns } = operationOf(id)
    const isIdempotent = takes('i')
    const input = isIdempotent ? withIdempotencyKey(given) : given
    const send = (token?: string): Promise<Incoming> =>
      method === 'GET' || isIdempotent ? retry(() => attempt(input, token)) : attempt(input, token)
    const incoming = await (takes('t') ? sendInSession(send).catch(asErrorOf(id)) : send())
    const data = await readResponse(id, incoming, languageOf(options))
    if (returns('T')) await sessions.set(toSession(data as Schemas['AuthenticationResult'])) // as the table says
    if (ENDS_SESSION.includes(id)) await sessions.set(undefined)
    if (id === 'confirmEmail' && (await sessions.getSession())) await call(PROFILE).catch(() => undefined)
    const { user } = Object(data) as { user?: SessionUser }
    if (user) await sessions.update(user)
    return { data, response: incoming.response }
  }

  const run = (input: Input): Promise<WithResponse<unknown>> =>
    operationOf(input.id).returns('T') ? sessions.replaceBy((send) => call(input, send)) : call(input)

  return {
    call: (input) => abortable(input.options.signal, failureOf(input), run(input)),
    sessions,
    languageOf,
  }
}

/** A refresh that fails is an error of the call that needed it. */
function asErrorOf(operation: OperationId) {
  return (error: unknown): never => {
    if (!isTawthiqError(error)) throw error
    throw new TawthiqError(error.word, {
      ...(error as Omit<TawthiqError, 'name'>),
      operation,
      message: error.message,
      cause: error,
    })
  }
}
