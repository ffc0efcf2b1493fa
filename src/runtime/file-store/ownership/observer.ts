import { isContested, type View } from './marker.ts'

/**
 * - `held`: this database is the holder.
 * - `due`: the marker has not changed for so long that this database may renew it.
 * - `waiting`: it is not known yet whether a copy of this database renews it.
 * - `contested`: a copy renews the marker, or did so last.
 */
export type Decision = 'held' | 'due' | 'waiting' | 'contested'

export type Observer = {
  /** @param nowMs a clock that is never set, such as that of `performance` */
  evaluate(view: View, fingerprint: string | null, nowMs: number): Decision
  /** Notes that this process has renewed the marker. */
  prove(): void
  isProven(): boolean
}

const MINUTE_MS = 60_000
/** After a restart: longer than the holder needs for several renewals, also if some fail. */
const RESTART_MS = 5 * MINUTE_MS
/** Before the files of a copy that seems to have ended are taken over */
const TAKEOVER_MS = 60 * MINUTE_MS
/** Version 0.2.0 writes the marker once an hour. */
const LEGACY_MS = 2 * TAKEOVER_MS

/**
 * Decides whether this database may renew the marker. Copies of a database have the same rows, so only what happens while
 * the process runs proves who is live: this database has renewed the marker, or no database has for a long time. The time is
 * measured by this process alone, so the clocks of the machines may differ.
 */
export function createObserver(): Observer {
  let seen: { version: string | undefined; sinceMs: number } | undefined
  let firstEpoch: string | null | undefined
  let isProven = false

  return {
    evaluate(view, fingerprint, nowMs) {
      const version = view.stored?.version
      if (!seen || seen.version !== version) seen = { version, sinceMs: nowMs }
      firstEpoch ??= view.row.nextEpoch
      if (view.relation === 'copy') isProven = false
      else if (isRenewedSince(firstEpoch, view)) isProven = true
      if (isProven) return 'held'
      if (nowMs - seen.sinceMs >= waitMs(view, fingerprint)) return 'due'
      return isContested(view, fingerprint) ? 'contested' : 'waiting'
    },
    prove: () => void (isProven = true),
    isProven: () => isProven,
  }
}

/** Returns whether an instance of this database has stored another epoch, and the marker has it. */
function isRenewedSince(epoch: string | null, { row, marker }: View): boolean {
  return row.nextEpoch !== epoch && marker?.epoch === row.nextEpoch
}

function waitMs(view: View, fingerprint: string | null): number {
  if (view.marker?.epoch === undefined) return LEGACY_MS
  return isContested(view, fingerprint) ? TAKEOVER_MS : RESTART_MS
}
