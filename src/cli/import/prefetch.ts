/**
 * Produces the next items while the current one is in use. Resolves when the first item is ready, so an error that affects all
 * items is thrown early.
 */
export async function prefetch<Item>(items: AsyncGenerator<Item>, count: number): Promise<AsyncIterable<Item>> {
  const pending: Promise<IteratorResult<Item>>[] = []
  const request = (): void => {
    const next = items.next()
    next.catch(() => undefined) // rethrown when the item is awaited
    pending.push(next)
  }
  for (let requested = 0; requested < count; requested++) request()
  await pending[0]
  return (async function* () {
    try {
      for (let next = await pending.shift(); next && !next.done; next = await pending.shift()) {
        request()
        yield next.value
      }
    } finally {
      await items.return(undefined)
    }
  })()
}
