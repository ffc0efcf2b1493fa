export type Session = {
  /** The access token */
  token: string
  /** Exchanged for new tokens when the access token has expired */
  refreshToken: string
}

/** Stores the session. All functions can be synchronous or asynchronous. */
export type Store = {
  get(): Session | null | Promise<Session | null>
  set(session: Session | null): void | Promise<void>
  /** Calls a listener when another tab or process changes the session. Returns a function that unsubscribes. */
  subscribe?(listener: () => void): () => void
  /** Returns true to only one of the clients that share the store: it refreshes the session. */
  claim?(): boolean | Promise<boolean>
}

/** Stores the session in memory, until the page is closed or the process ends. */
export function memoryStore(): Store {
  let stored: Session | null = null
  return {
    get: () => stored,
    set(session) {
      stored = session
    },
  }
}
