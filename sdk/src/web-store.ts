import { pause } from './pause.ts'
import type { Session, Store } from './stores.ts'

/** The part of `localStorage` that a store uses */
export type WebStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** How long a claim excludes other tabs. After that they assume that the tab was closed. */
const CLAIM_MS = 5000
/** How long browsers take to show what one tab writes to another, with a margin */
const SETTLE_MS = 100

type Claim = { by: string; until: number }

/** Keeps the session in `localStorage`: all tabs of an origin share it, and it outlives them. */
export function webStore(key = 'tawthiq', storage: WebStorage = localStorage): Store {
  const own = Math.random().toString(36).slice(2)
  const claimKey = `${key}.refresh`
  return {
    get: () => read(storage, key) as Session | null,
    set(session) {
      if (session) storage.setItem(key, JSON.stringify(session))
      else storage.removeItem(key)
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) listener()
      }
      const { window } = globalThis as { window?: Window } // there is none in Node or a worker
      window?.addEventListener('storage', onStorage)
      return () => window?.removeEventListener('storage', onStorage)
    },
    // A claim expires by itself, so that no tab waits for another one for ever. If two tabs refresh all the same, the
    // service gives both the same new tokens.
    async claim() {
      const claim = read(storage, claimKey) as Claim | null
      const left = (claim?.until ?? 0) - Date.now()
      if (claim && claim.by !== own && left > 0 && left <= CLAIM_MS) return false
      storage.setItem(claimKey, JSON.stringify({ by: own, until: Date.now() + CLAIM_MS }))
      await pause(SETTLE_MS)
      return (read(storage, claimKey) as Claim | null)?.by === own
    },
  }
}

/** Returns what the store wrote at a key; null if it is missing or is not JSON. */
function read(storage: WebStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
