export type Session = {
  /** The access token */
  token: string
  /** Exchanged for new tokens when the access token has expired */
  refreshToken: string
  /** The time at which the access token expires, by the clock of this device, in milliseconds since 1970 */
  expiresAt: number
  user: SessionUser
}

/** The user of a session, as of the last response with its address */
export type SessionUser = { id: number; email: string }

/** Stores the session. All functions can be synchronous or asynchronous. */
export type Store = {
  get(): Session | undefined | Promise<Session | undefined>
  set(session: Session | undefined): void | Promise<void>
  /** Calls a listener when another tab or process changes the session. Returns a function that unsubscribes. */
  subscribe?(listener: () => void): () => void
  /** Returns true to only one of the clients that share the store: it refreshes the session. */
  claim?(): boolean | Promise<boolean>
}

/** Stores the session in memory, until the page is closed or the process ends. */
export function memoryStore(): Store {
  let stored: Session | undefined
  return {
    get: () => stored,
    set(session) {
      stored = session
    },
  }
}

/** Returns the session in a stored text. Texts that are no session are ignored, also sessions of SDK 0.2.0 without a user. */
export function parseSession(text: string | null): Session | undefined {
  const session = parseStored(text) as Session | null
  return session?.user ? session : undefined
}

/** Returns a stored value; null if it is missing or is not JSON. */
export function parseStored(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
