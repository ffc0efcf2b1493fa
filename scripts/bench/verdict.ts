/** A figure in each round: of this version, and of the one that it is compared with */
export type Rounds = Readonly<{ ours: readonly number[]; before: readonly number[]; target?: number | undefined }>

/** `noisy`: the rounds differ too much to tell. */
export type Verdict = 'ok' | 'too much' | 'noisy'

/** How much more than before is allowed where there is no target, and how far above the limit is too much on a noisy machine */
const [ALLOWED, FAR_ABOVE] = [1.15, 1.25]

/** Returns the largest figure that is allowed in a round. */
export function limitOf(before: number, target = 0): number {
  return Math.max(target, ALLOWED * before)
}

/**
 * Compares each round with the larger of the target and 1.15 times the version before, whose figures are of the same round,
 * because noise of the machine concerns both. Of 15 rounds, the 3 smallest and the 3 largest are ignored: the median is
 * between the others with a probability of 96 %. Of fewer rounds, all must agree. After 15, a median far above is too much, however much
 * the rounds differ.
 */
export function judge({ ours, before, target }: Rounds): Verdict {
  const excess = ours.map((figure, round) => figure / limitOf(before[round] ?? Number.NaN, target))
  const sorted = excess.sort((a, b) => a - b)
  const ignored = sorted.length >= 15 ? 3 : 0
  const [low = Number.NaN, high = Number.NaN] = [sorted[ignored], sorted.at(-1 - ignored)]
  if (high <= 1) return 'ok'
  return low > 1 || (ignored > 0 && median(sorted) > FAR_ABOVE) ? 'too much' : 'noisy'
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
