// Work that nobody waits for.
import t from 'tap'
import { background } from '../../src/adapters/background.ts'
import { jsonLog } from '../../src/log.ts'

const MANY = 50

void t.test('when work begins nobody knows', async (t) => {
  const { begin } = background(jsonLog('silent'))
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

void t.test('who settles has all of it begin', async (t) => {
  const { begin, settle } = background(jsonLog('silent'))
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

void t.test('more than may wait is refused', async (t) => {
  const { begin, settle } = background(jsonLog('silent'))
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

void t.test('what fails stands in the log, and holds up nothing', async (t) => {
  const lines: string[] = []
  const { begin, settle } = background(jsonLog('info', { write: (line) => lines.push(line) }))
  begin('a test', () => Promise.reject(new Error('no luck')))
  await settle()
  t.match(lines.join(''), /no luck.*a test failed/)
})
