import type { Schemas } from '../contract.ts'
import { isTawthiqError } from '../errors.ts'
import { pause } from '../http/pause.ts'
import { retryRefresh } from '../http/retry.ts'
import type { Session, Store } from './stores.ts'
import type { Incoming } from '../http/transport.ts'

/** Codes that mean that a token will not work again. A stored refresh token that was damaged is `invalid_data`. */
const ENDED = ['refresh_token_invalid', 'token_revoked', 'token_invalid', 'invalid_data']
const UNAUTHORIZED = 401
const POLL_MS = 50
/** The remaining lifetime at which an access token is replaced before it is given to the application */
const FRESH_MS = 60_000

export type SessionListener = (session: Session | undefined) => void

export type Sessions = {
  /** Returns the session with its user; undefined if nobody is logged in. */
  getSession(): Promise<Session | undefined>
  /** Returns an access token that is valid for a minute or more, refreshed if necessary; undefined without a session. */
  getAccessToken(): Promise<string | undefined>
  set(session: Session | undefined): Promise<void>
  /** Sends a request with the access token. Refreshes an expired token and repeats the request once. */
  send(send: (token: string | undefined) => Promise<Incoming>): Promise<Incoming>
  /** Calls a listener now and on every change, in any tab. Returns a function that unsubscribes. */
  onSession(listener: SessionListener): () => void
  dispose(): void
}

export type Refresh = (refreshToken: string) => Promise<Schemas['AuthenticationResult']>

export function openSessions(store: Store, initial: Session | undefined, refresh: Refresh): Sessions {
  const listeners = new Set<SessionListener>()
  const ready = Promise.resolve(initial && store.set(initial))
  let refreshing: Promise<Session | undefined> | undefined

  const get = async (): Promise<Session | undefined> => {
    await ready
    return store.get()
  }
  const notify = (session: Session | undefined): void => listeners.forEach((listener) => listener(session))
  const set = async (session: Session | undefined): Promise<void> => {
    await ready
    await store.set(session)
    notify(session)
  }
  const renewOnce = (expired: Session): Promise<Session | undefined> =>
    (refreshing ??= renew(expired).finally(() => (refreshing = undefined)))
  const unsubscribe = store.subscribe?.(() => void get().then(notify))

  /** Exchanges the refresh token. A session that another tab has stored meanwhile takes precedence over the result. */
  const exchange = async (expired: Session): Promise<Session | undefined> => {
    let next: Session | undefined
    try {
      next = toSession(await retryRefresh(() => refresh(expired.refreshToken)))
    } catch (error) {
      if (!isTawthiqError(error) || !ENDED.includes(error.code)) throw error
      next = undefined
    }
    return replace(expired, next)
  }

  const replace = async (old: Session, next: Session | undefined): Promise<Session | undefined> => {
    const current = await get()
    if (current?.token !== old.token) return current
    await set(next)
    return next
  }

  const renew = async (expired: Session): Promise<Session | undefined> => {
    for (;;) {
      const isClaimed = (await store.claim?.()) ?? true
      const current = await get()
      if (current?.token !== expired.token) return current
      if (isClaimed) return exchange(expired)
      await pause(POLL_MS)
    }
  }

  return {
    getSession: get,
    async getAccessToken() {
      const session = await get()
      const isFresh = !session || session.expiresAt - Date.now() > FRESH_MS
      return (isFresh ? session : await renewOnce(session))?.token
    },
    set,
    async send(send) {
      const session = await get()
      const incoming = await send(session?.token)
      const { headers, status } = incoming.response
      const code = headers.get('error-code') ?? ''
      if (!session || status !== UNAUTHORIZED) return incoming
      let next: Session | undefined
      if (code === 'token_expired') next = await renewOnce(session)
      else if (ENDED.includes(code)) next = await replace(session, undefined)
      else return incoming
      // another account may have logged in meanwhile: its token must not be used for this request
      return next?.user.id === session.user.id ? send(next.token) : incoming
    },
    onSession(listener) {
      listeners.add(listener)
      void get().then((session) => listeners.has(listener) && listener(session))
      return () => listeners.delete(listener)
    },
    dispose() {
      unsubscribe?.()
      listeners.clear()
    },
  }
}

export function toSession({ account, session }: Schemas['AuthenticationResult']): Session {
  const { token, email } = account
  return {
    token,
    refreshToken: session.refresh_token,
    expiresAt: Date.now() + session.expires_in * 1000,
    user: { id: accountIn(token), email },
  }
}

/** Returns the id of the account in an access token. The service verifies tokens, this only reads them. */
function accountIn(token: string): number {
  const payload = token.split('.')[1] ?? ''
  return Number((JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: unknown }).sub)
}
