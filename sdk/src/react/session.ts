import { useCallback, useSyncExternalStore } from 'react'
import type { Tawthiq } from '../client.ts'
import type { Session } from '../session/stores.ts'

/** `pending` is true until the store has returned its session, and on a server. */
export type SessionState = { pending: boolean; session: Session | undefined }

type Client = Pick<Tawthiq, 'onSession'>
type Shared = { state: SessionState; readonly listeners: Set<() => void> }

const PENDING: SessionState = { pending: true, session: undefined }
/** One state for all components, so that a component that is mounted later is not pending again */
const shared = new WeakMap<Client, Shared>()

/** Returns the session of a client, and renders again when it changes in any tab. */
export function useSession(client: Client): SessionState {
  const subscribe = useCallback(
    (listener: () => void) => {
      const { listeners } = sharedBy(client)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [client],
  )
  return useSyncExternalStore(
    subscribe,
    () => shared.get(client)?.state ?? PENDING,
    () => PENDING,
  )
}

function sharedBy(client: Client): Shared {
  const existing = shared.get(client)
  if (existing) return existing
  const created: Shared = { state: PENDING, listeners: new Set() }
  shared.set(client, created)
  client.onSession((session) => {
    created.state = { pending: false, session }
    created.listeners.forEach((listener) => listener())
  })
  return created
}
