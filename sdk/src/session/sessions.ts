import type { Schemas } from '../contract.ts'
import { isTawthiqError } from '../errors.ts'
import { pause } from '../http/pause.ts'
import { retryRefresh } from '../http/retry.ts'
import type { Session, Store } from './stores.ts'
import { isSameAccount } from './token.ts'
import type { Incoming } from '../http/transport.ts'

/** Codes of a 401 that mean that a token will not work again */
const ENDED = ['refresh_token_invalid', 'token_revoked', 'token_invalid']
const POLL_MS = 50

export type SessionListener = (session: Session | null) => void

export type Sessions = {
  set(session: Session | null): Promise<void>
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
  let refreshing: Promise<Session | null> | undefined

  const get = async (): Promise<Session | null> => {
    await ready
    return store.get()
  }
  const notify = (session: Session | null): void => listeners.forEach((listener) => listener(session))
  const set = async (session: Session | null): Promise<void> => {
    await ready
    await store.set(session)
    notify(session)
  }
  const unsubscribe = store.subscribe?.(() => void get().then(notify))

  /** Exchanges the refresh token. A session that another tab has stored meanwhile takes precedence over the result. */
  const exchange = async (expired: Session): Promise<Session | null> => {
    let next: Session | null
    try {
      next = toSession(await retryRefresh(() => refresh(expired.refreshToken)))
    } catch (error) {
      if (!isTawthiqError(error) || !ENDED.includes(error.code)) throw error
      next = null
    }
    return replace(expired, next)
  }

  const replace = async (old: Session, next: Session | null): Promise<Session | null> => {
    const current = await get()
    if (current?.token !== old.token) return current
    await set(next)
    return next
  }

  const renew = async (expired: Session): Promise<Session | null> => {
    for (;;) {
      const isClaimed = (await store.claim?.()) ?? true
      const current = await get()
      if (current?.token !== expired.token) return current
      if (isClaimed) return exchange(expired)
      await pause(POLL_MS)
    }
  }

  return {
    set,
    async send(send) {
      const session = await get()
      const incoming = await send(session?.token)
      const code = incoming.response.headers.get('error-code') ?? ''
      if (!session) return incoming
      let next: Session | null
      if (code === 'token_expired') {
        refreshing ??= renew(session).finally(() => (refreshing = undefined))
        next = await refreshing
      } else if (ENDED.includes(code)) next = await replace(session, null)
      else return incoming
      // another account may have logged in meanwhile: its token must not be used for this request
      return next && isSameAccount(session.token, next.token) ? send(next.token) : incoming
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
  return { token: account.token, refreshToken: session.refresh_token }
}
