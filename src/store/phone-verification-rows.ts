import type { PhoneVerification as Row } from '../../generated/prisma/client.ts'
import type { OtherWindow, PhoneVerification } from '../domain/phones/phone-verification.ts'
import type { CodeEvent } from '../domain/phones/otp-limits.ts'

export type WrittenRow = Omit<Row, 'version'>

/** The columns that a change writes: all except `version`, which the statement increments. */
export const COLUMNS: Readonly<Record<keyof WrittenRow, string>> = {
  phone: 'phone',
  purpose: 'purpose',
  windowId: 'window_id',
  state: 'state',
  startedAt: 'started_at',
  expiresAt: 'expires_at',
  confirmedAt: 'confirmed_at',
  wrongTries: 'wrong_tries',
  sentAt: 'sent_at',
  sentBy: 'sent_by',
  wrongAt: 'wrong_at',
  wrongBy: 'wrong_by',
  otherWindow: 'other_window',
}

export function fromRow(row: Row): PhoneVerification {
  const { phone, purpose, windowId, state, wrongTries } = row
  return {
    phone,
    purpose,
    windowId,
    state,
    wrongTries,
    startedAtMs: row.startedAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    confirmedAtMs: row.confirmedAt?.getTime(),
    sends: toCodeEvents(row.sentAt, row.sentBy),
    wrong: toCodeEvents(row.wrongAt, row.wrongBy),
    other: (row.otherWindow as OtherWindow | null) ?? undefined, // toRow writes this type
  }
}

function toCodeEvents(moments: readonly Date[], networks: readonly string[]): CodeEvent[] {
  return moments.map((at, index) => ({ atMs: at.getTime(), by: networks[index] ?? '' }))
}

export function toRow(window: PhoneVerification): WrittenRow {
  const { phone, purpose, windowId, state, wrongTries, confirmedAtMs, other } = window
  return {
    phone,
    purpose,
    windowId,
    state,
    wrongTries,
    startedAt: new Date(window.startedAtMs),
    expiresAt: new Date(window.expiresAtMs),
    confirmedAt: confirmedAtMs === undefined ? null : new Date(confirmedAtMs),
    sentAt: window.sends.map(({ atMs }) => new Date(atMs)),
    sentBy: window.sends.map(({ by }) => by),
    wrongAt: window.wrong.map(({ atMs }) => new Date(atMs)),
    wrongBy: window.wrong.map(({ by }) => by),
    otherWindow: other ?? null,
  }
}
