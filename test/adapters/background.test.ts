// Background work: no request waits for it.
import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { createBackground } from '../../src/adapters/background.ts'
import { jsonLog } from '../../src/lib/log.ts'

const MANY = 50

void t.test('starts work after a random delay', async (t) => {
  const { enqueue: begin } = createBackground(jsonLog('silent'))
  const inOrder = Array.from({ length: MANY }, (_, at) => at)
  const begun: number[] = []
  await Promise.all(
    inOrder.map(
      (at) =>
        new Promise<void>((resolve) => {
          begin('a test', () => {
            begun.push(at)
            resolve()
            return Promise.resolve()
          })
        }),
    ),
  )
  t.same(
    [...begun].sort((a, b) => a - b),
    inOrder,
  )
  t.notSame(begun, inOrder)
})

void t.test('starts all delayed work when settling', async (t) => {
  const { enqueue: begin, settle } = createBackground(jsonLog('silent'))
  let begun = 0
  for (let at = 0; at < MANY; at++) {
    begin('a test', () => {
      begun++
      return Promise.resolve()
    })
  }
  await settle()
  t.equal(begun, MANY)
  await settle()
})

void t.test('rejects work when the queue is full', async (t) => {
  const { enqueue: begin, settle } = createBackground(jsonLog('silent'))
  const fill = (): void => {
    for (;;) begin('a test', () => Promise.resolve())
  }
  t.throws(fill, { code: 'overloaded' })
  await settle()
  t.doesNotThrow(() => {
    begin('a test', () => Promise.resolve())
  })
  await settle()
})

void t.test('logs failures and continues', async (t) => {
  const lines: string[] = []
  const { enqueue: begin, settle } = createBackground(jsonLog('info', { write: (line) => lines.push(line) }))
  begin('a test', () => Promise.reject(new Error('no luck')))
  await settle()
  t.match(lines.join(''), /no luck.*a test failed/)
})

void t.test('runs work in the trace of its request, also if other work has to end first', async (t) => {
  const { enqueue: begin, settle } = createBackground(jsonLog('silent'))
  const trace = new AsyncLocalStorage<number>()
  const traces: [expected: number, found: number | undefined][] = []
  for (let at = 0; at < MANY; at++) {
    trace.run(at, () =>
      begin('a test', () => Promise.resolve(traces.push([at, trace.getStore()])).then(() => undefined)),
    )
  }
  await settle()
  t.equal(traces.length, MANY)
  t.ok(traces.every(([expected, found]) => found === expected))
})
