export type Session = {
  /** The access token */
  token: string
  /** Exchanged for new tokens when the access token has expired */
  refreshToken: string
}

/** Keeps a session. All members may be synchronous or asynchronous. */
export type Store = {
  get(): Session | null | Promise<Session | null>
  set(session: Session | null): void | Promise<void>
  /** Calls a listener when the session was changed by something else, such as another tab. Returns how to stop. */
  subscribe?(listener: () => void): () => void
  /** Returns whether this client is the one to refresh the session, of all that share the store. */
  claim?(): boolean | Promise<boolean>
}

/** Keeps the session in memory: it ends with the page or process. */
export function memoryStore(): Store {
  let kept: Session | null = null
  return {
    get: () => kept,
    set(session) {
      kept = session
    },
  }
}
