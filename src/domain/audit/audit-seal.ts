/** The columns of an audit event that survive the erasure of an account. Seals cover only these. */
export type SealedEvent = Readonly<{
  id: bigint
  at: Date
  event: string
  accountId: number | null
  actorId: number | null
  requestId: string | null
}>

/** The part of a seal about the events from `fromId` to `toId`. */
export type SealedRange = Readonly<{
  /** 1, 2, 3, … without gaps */
  number: number
  fromId: bigint
  toId: bigint
  rows: number
  /** The time of the newest event */
  lastAt: Date
  /** Hash over the previous hash and the events, in hexadecimal digits */
  hash: string
  sealedAt: Date
}>

export type AuditSeal = SealedRange & Readonly<{ signature: string; keyId: string }>

/** Serializes events as lines of JSON. The result is the same in every process. */
export function toLines(events: readonly SealedEvent[]): string {
  return events
    .map(({ id, at, event, accountId, actorId, requestId }) => {
      const columns = [String(id), at.toISOString(), event, accountId, actorId, requestId]
      return `${JSON.stringify(columns)}\n`
    })
    .join('')
}

/** Serializes a seal for its signature. */
export function sealText(seal: SealedRange & { keyId: string }): string {
  const { number, fromId, toId, rows, lastAt, hash, sealedAt, keyId } = seal
  const times = [lastAt.toISOString(), sealedAt.toISOString()]
  return JSON.stringify(['tawthiq audit seal 1', number, String(fromId), String(toId), rows, ...times, hash, keyId])
}
