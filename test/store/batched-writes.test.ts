import t from 'tap'
import { batchedWrites } from '../../src/database/batching.ts'

type Write = { items: readonly number[]; finish: (error?: Error) => void }

/** Records writes, which end when the test says so. */
function recorded(): { writes: Write[]; write: (items: readonly number[]) => Promise<void>; next(): Promise<Write> } {
  const writes: Write[] = []
  let arrive: (write: Write) => void = () => undefined
  const write = (items: readonly number[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const started = { items: [...items], finish: (error?: Error) => (error ? reject(error) : resolve()) }
      writes.push(started)
      arrive(started)
    })
  return { writes, write, next: () => new Promise((resolve) => (arrive = resolve)) }
}

void t.test('writes what is requested in the same turn together', async (t) => {
  const { writes, write, next } = recorded()
  const add = batchedWrites(write)
  const first = next()
  const all = Promise.all([add(1), add(2), add(3)])
  ;(await first).finish()
  await all
  t.same(
    writes.map(({ items }) => items),
    [[1, 2, 3]],
  )
})

void t.test('combines the writes that are requested during another one, and starts them after it', async (t) => {
  const { writes, write, next } = recorded()
  const add = batchedWrites(write)
  const first = next()
  const one = add(1)
  const running = await first
  const others = Promise.all([add(2), add(3)])
  t.equal(writes.length, 1)
  const second = next()
  running.finish()
  await one
  ;(await second).finish()
  await others
  t.same(
    writes.map(({ items }) => items),
    [[1], [2, 3]],
  )
})

void t.test('rejects all items of a write that fails, and writes the next ones', async (t) => {
  const { write, next } = recorded()
  const add = batchedWrites(write)
  const first = next()
  const failing = Promise.allSettled([add(1), add(2)])
  ;(await first).finish(new Error('no connection'))
  t.match(await failing, [
    { status: 'rejected', reason: { message: 'no connection' } },
    { status: 'rejected', reason: { message: 'no connection' } },
  ])
  const second = next()
  const later = add(3)
  ;(await second).finish()
  await t.resolves(later)
})
