import { pause } from '../http/pause.ts'
import type { Session, Store } from './stores.ts'

/** The part of `localStorage` that a store uses */
export type WebStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Lifetime of a claim. After that, other tabs assume that the tab was closed. */
const CLAIM_MS = 5000
/** Time in which a write becomes visible to other tabs, with a margin */
const SETTLE_MS = 100

type Claim = { by: string; until: number }

/** Stores the session in `localStorage`. All tabs of an origin share it. */
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
      const { window } = globalThis as { window?: Window } // undefined in Node and in workers
      window?.addEventListener('storage', onStorage)
      return () => window?.removeEventListener('storage', onStorage)
    },
    // A claim expires, so that a closed tab cannot block the others. If two tabs refresh nevertheless, the service returns
    // the same new tokens to both.
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

/** Returns the stored value; null if it is missing or is not JSON. */
function read(storage: WebStorage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
