import { pause } from '../http/pause.ts'
import { parseSession, parseStored, type Store } from './stores.ts'

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

/**
 * Stores the session in `localStorage`. All tabs of an origin share it. Can be created anywhere: on servers and in workers
 * there is no session, and storing one fails. Pages that may not use `localStorage` store the session in memory.
 */
export function webStore(key = 'tawthiq', storage?: WebStorage): Store {
  const own = Math.random().toString(36).slice(2)
  const claimKey = `${key}.refresh`
  const open = (): WebStorage | undefined => (storage ??= storageOfPage())
  const read = (name: string): string | null => open()?.getItem(name) ?? null
  return {
    get: () => parseSession(read(key)),
    set(session) {
      const opened = open()
      if (!session) opened?.removeItem(key)
      else if (opened) opened.setItem(key, JSON.stringify(session))
      else throw new Error('webStore() needs a page: use memoryStore() here')
    },
    subscribe(listener) {
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) listener()
      }
      const { window } = globalThis as { window?: Partial<Window> }
      window?.addEventListener?.('storage', onStorage) // missing in React Native
      return () => window?.removeEventListener?.('storage', onStorage)
    },
    // A claim expires, so that a closed tab cannot block the others. If two tabs refresh nevertheless, the service returns
    // the same new tokens to both.
    async claim() {
      const claim = parseStored(read(claimKey)) as Claim | null
      const left = (claim?.until ?? 0) - Date.now()
      if (claim && claim.by !== own && left > 0 && left <= CLAIM_MS) return false
      open()?.setItem(claimKey, JSON.stringify({ by: own, until: Date.now() + CLAIM_MS }))
      await pause(SETTLE_MS)
      return (parseStored(read(claimKey)) as Claim | null)?.by === own
    },
  }
}

/** Returns the storage of a page. That of a server, which some runtimes have, would be shared by all users. */
function storageOfPage(): WebStorage | undefined {
  const { window } = globalThis as { window?: Partial<Window> }
  try {
    return window?.localStorage
  } catch {
    return memoryStorage() // the user blocks it
  }
}

function memoryStorage(): WebStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
