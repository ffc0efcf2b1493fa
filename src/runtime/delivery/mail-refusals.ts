/** How often an e-mail is refused while others pass, before it is given up */
const LONE_MAX = 5
/** The oldest are forgotten first, because another instance may have sent them. */
const REMEMBERED_MAX = 1000

export type LoneRefusals = {
  /** Notes that the mail server has accepted an e-mail. */
  accept(id: bigint): void
  /** Notes a refusal. Returns whether the e-mail is refused again and again while this process sends others. */
  refuse(id: bigint): boolean
}

/** Distinguishes an e-mail that the mail server never accepts from a mail server that accepts none for a while. */
export function countLoneRefusals(): LoneRefusals {
  let accepted = 0
  const refused = new Map<bigint, { times: number; acceptedBefore: number }>()
  return {
    accept(id) {
      accepted++
      refused.delete(id)
    },
    refuse(id) {
      const { times, acceptedBefore } = refused.get(id) ?? { times: 0, acceptedBefore: 0 }
      const next = { times: times + (accepted > acceptedBefore ? 1 : 0), acceptedBefore: accepted }
      refused.delete(id) // to move it to the end
      if (next.times >= LONE_MAX) return true
      refused.set(id, next)
      const [oldest] = refused.keys()
      if (refused.size > REMEMBERED_MAX && oldest !== undefined) refused.delete(oldest)
      return false
    },
  }
}
