import type { Schemas } from '../contract.ts'
import { isTawthiqError } from '../errors.ts'
import { pause } from '../http/pause.ts'
import { retryRefresh } from '../http/retry.ts'
import type { Session, SessionUser, Store } from './stores.ts'
import type { Incoming } from '../http/transport.ts'

/** Codes that mean that a token will not work again */
const ENDED = ['refresh_token_invalid', 'token_revoked', 'token_invalid']

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
  /** Stores what a response says about the user of the session. Those of other users are ignored. */
  update(user: SessionUser): Promise<void>
  /** Sends a request with the access token. Refreshes an expired token and repeats the request once. */
  send(send: Send): Promise<Incoming>
  /**
   * Runs a call that sends an access token and stores the session of its response. The service ends the old session before
   * the new one is stored: until then, a rejected token of another call has not ended the session.
   */
  replaceBy<Result>(call: (send: Sessions['send']) => Promise<Result>): Promise<Result>
  /** Calls a listener now and on every change, in any tab. Returns a function that unsubscribes. */
  onSession(listener: SessionListener): () => void
  dispose(): void
}

type Send = (token: string | undefined) => Promise<Incoming>

export type Refresh = (refreshToken: string) => Promise<Schemas['AuthenticationResult']>

export function openSessions(store: Store, initial: Session | undefined, refresh: Refresh): Sessions {
  const listeners = new Set<SessionListener>()
  const ready = Promise.resolve(initial && store.set(initial))
  let refreshing: Promise<Session | undefined> | undefined
  let replacing: Promise<unknown> | undefined

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
  // the application is told of the next change if the store cannot be read
  const unsubscribe = store.subscribe?.(() => void get().then(notify, () => undefined))

  /** Exchanges the refresh token. A session that another tab has stored meanwhile takes precedence over the result. */
  const exchange = async (expired: Session): Promise<Session | undefined> => {
    let next: Session | undefined
    try {
      // A tab can sleep between two attempts. Sending a refresh token that another tab has used would end the session.
      next = await retryRefresh(async () =>
        (await get())?.token === expired.token ? toSession(await refresh(expired.refreshToken)) : undefined,
      )
    } catch (error) {
      // a stored refresh token that was damaged is `invalid_data`
      if (!isTawthiqError(error) || ![...ENDED, 'invalid_data'].includes(error.code)) throw error
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

  const send = async (send: Send, isReplacing = false): Promise<Incoming> => {
    const session = await get()
    const incoming = await send(session?.token)
    const code = incoming.response.headers.get('error-code') ?? ''
    const isEnded = ENDED.includes(code)
    if (!session || (!isEnded && code !== 'token_expired')) return incoming
    if (isEnded && !isReplacing) await replacing
    const next = await (isEnded ? replace(session, undefined) : renewOnce(session))
    // another account may have logged in meanwhile: its token must not be used for this request
    return next?.user.id === session.user.id ? send(next.token) : incoming
  }

  return {
    getSession: get,
    async getAccessToken() {
      const session = await get()
      const isFresh = !session || session.expiresAt - Date.now() > FRESH_MS
      return (isFresh ? session : await renewOnce(session))?.token
    },
    set,
    async update({ id, email }) {
      const session = await get()
      if (session?.user.id !== id || session.user.email === email) return
      await replace(session, { ...session, user: { id, email } })
    },
    send,
    replaceBy(call) {
      const running = call((request) => send(request, true))
      const earlier = replacing
      replacing = running.catch(() => undefined).then(() => earlier)
      return running
    },
    onSession(listener) {
      listeners.add(listener)
      const show = (session?: Session): unknown => listeners.has(listener) && listener(session)
      void get().then(show, () => show()) // a store that cannot be read has no session
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
