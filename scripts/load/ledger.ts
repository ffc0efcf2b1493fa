// What the service has acknowledged, to be compared with what is there later.

/** The writes of one value that is replaced, in the order in which they were sent */
type History = { value: string; isAcknowledged: boolean }[]

/** Acknowledged work: values of which the last one must be there, and things of which each must be there. */
export type Ledger = {
  /** Notes a value before it is sent. The result must be called if it is acknowledged. */
  begin(key: string, value: string): () => void
  /** Notes something that was acknowledged, such as a registration. */
  add(kind: Kind, name: string): void
  values(): Map<string, History>
  things(kind: Kind): readonly string[]
}

export type Kind = 'registration' | 'session' | 'sms' | 'mail'

export function newLedger(): Ledger {
  const histories = new Map<string, History>()
  const things: Record<Kind, string[]> = { registration: [], session: [], sms: [], mail: [] }
  return {
    begin(key, value) {
      const history = histories.get(key) ?? []
      histories.set(key, history)
      const entry = { value, isAcknowledged: false }
      history.push(entry)
      return () => (entry.isAcknowledged = true)
    },
    add: (kind, name) => void things[kind].push(name),
    values: () => histories,
    things: (kind) => things[kind],
  }
}

/**
 * Returns how many acknowledged values are lost: those that were sent after the one that is there now. A value that was
 * sent later than an acknowledged one may be there without acknowledgement, because its response was lost.
 */
export function countLost(history: History, present: string | undefined): number {
  const at = history.findLastIndex(({ value }) => value === present)
  return history.slice(at + 1).filter(({ isAcknowledged }) => isAcknowledged).length
}
