/**
 * Combines the writes that are requested while another one runs into the next one.
 *
 * @param write writes all items; if it fails, each of them fails with the same error
 */
export function batchedWrites<Item>(
  write: (items: readonly Item[]) => Promise<unknown>,
): (item: Item) => Promise<void> {
  let previous: Promise<unknown> = Promise.resolve()
  let waiting: { items: Item[]; written: Promise<void> } | undefined

  const writeAfter = async (earlier: Promise<unknown>, items: readonly Item[]): Promise<void> => {
    await Promise.allSettled([earlier]) // also waits without one, for items of the same turn
    waiting = undefined
    await write(items)
  }
  return (item) => {
    if (waiting) {
      waiting.items.push(item)
      return waiting.written
    }
    const items = [item]
    const written = writeAfter(previous, items)
    waiting = { items, written }
    previous = written
    return written
  }
}
