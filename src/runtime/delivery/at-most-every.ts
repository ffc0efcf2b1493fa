/** Returns a function that calls another one at once, or at the end of the interval since its last call. */
export function atMostEvery(ms: number, call: () => void): () => void {
  let waiting: NodeJS.Timeout | undefined
  let isWanted = false
  const wake = (): void => {
    isWanted = waiting !== undefined
    if (waiting) return
    call()
    waiting = setTimeout(() => {
      waiting = undefined
      if (isWanted) wake()
    }, ms).unref()
  }
  return wake
}
