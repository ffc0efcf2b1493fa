/** The columns of an audit event that the erasure of an account keeps, and that seals are therefore made over. */
export type SealedEvent = Readonly<{
  id: bigint
  at: Date
  event: string
  accountId: number | null
  actorId: number | null
  requestId: string | null
}>

/** What a seal says of the events from `fromId` to `toId`. */
export type SealedRange = Readonly<{
  /** 1, 2, 3, … without gaps */
  number: number
  fromId: bigint
  toId: bigint
  rows: number
  /** The time of the newest event */
  lastAt: Date
  /** Over the hash of the seal before and the events, in hexadecimal digits */
  hash: string
  sealedAt: Date
}>

export type AuditSeal = SealedRange & Readonly<{ signature: string; keyId: string }>

/** One line for each event, the same for the same event whatever computes it. */
export function linesOf(events: readonly SealedEvent[]): string {
  return events
    .map(({ id, at, event, accountId, actorId, requestId }) => [
      String(id),
      at.toISOString(),
      event,
      accountId,
      actorId,
      requestId,
    ])
    .map((columns) => `${JSON.stringify(columns)}\n`)
    .join('')
}

/** What the signature of a seal is made over. */
export function textOfSeal(seal: SealedRange & { keyId: string }): string {
  const { number, fromId, toId, rows, lastAt, hash, sealedAt, keyId } = seal
  const times = [lastAt.toISOString(), sealedAt.toISOString()]
  return JSON.stringify(['tawthiq audit seal 1', number, String(fromId), String(toId), rows, ...times, hash, keyId])
}
