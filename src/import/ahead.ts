/**
 * The same items, of which the next ones are made while one is used. Resolves when the first is there, so that what stops
 * all of them has shown.
 */
export async function ahead<Item>(items: AsyncGenerator<Item>, count: number): Promise<AsyncIterable<Item>> {
  const waiting: Promise<IteratorResult<Item>>[] = []
  const ask = (): void => {
    const next = items.next()
    next.catch(() => undefined) // it is told when its turn has come
    waiting.push(next)
  }
  for (let asked = 0; asked < count; asked++) ask()
  await waiting[0]
  return (async function* () {
    try {
      for (let next = await waiting.shift(); next && !next.done; next = await waiting.shift()) {
        ask()
        yield next.value
      }
    } finally {
      await items.return(undefined)
    }
  })()
}
