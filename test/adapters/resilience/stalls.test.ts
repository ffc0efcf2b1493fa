// Streams whose source falls silent, and streams whose reader is slow.
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { withoutStalls } from '../../../src/adapters/resilience/stalls.ts'

const SILENCE_MS = 150
const stalled = (cause: Error): Error => new Error('stalled', { cause })

void t.test('passes on all bytes in their order', async (t) => {
  const chunks = Array.from({ length: 500 }, (_, at) => Buffer.alloc(1000, at))
  const stream = withoutStalls(Readable.from(chunks), SILENCE_MS, stalled)
  t.same(await buffer(stream), Buffer.concat(chunks))
})

void t.test('passes on a source without bytes', async (t) => {
  const stream = withoutStalls(Readable.from([]), SILENCE_MS, stalled)
  t.equal((await buffer(stream)).length, 0)
})

void t.test('destroys both ends when the source falls silent', async (t) => {
  const source = new PassThrough()
  const stream = withoutStalls(source, SILENCE_MS, stalled)
  source.write('half')
  await t.rejects(buffer(stream), { message: 'stalled' })
  t.ok(source.destroyed)
})

void t.test('waits for a source that is slow but never silent for long', async (t) => {
  const source = new PassThrough()
  const bytes = buffer(withoutStalls(source, 10 * SILENCE_MS, stalled))
  for (let count = 0; count < 20; count++) {
    source.write('x')
    await sleep(SILENCE_MS / 1.5) // longer in all than the source may be silent
  }
  source.end()
  t.equal((await bytes).toString(), 'x'.repeat(20))
})

void t.test('a reader that pauses is no fault of the source', async (t) => {
  const chunk = Buffer.alloc(64 * 1024)
  const chunks = Array.from({ length: 20 }, () => chunk)
  const stream = withoutStalls(Readable.from(chunks), SILENCE_MS, stalled)
  await once(stream, 'readable')
  await sleep(3 * SILENCE_MS)
  t.notOk(stream.destroyed)
  t.equal((await buffer(stream)).length, 20 * chunk.length)
})

void t.test('a source that fails or closes early fails the stream', async (t) => {
  const broken = new PassThrough()
  const failing = buffer(withoutStalls(broken, SILENCE_MS, stalled))
  broken.destroy(new Error('broken'))
  await t.rejects(failing, { message: 'broken' })
  const closed = new PassThrough()
  const ending = buffer(withoutStalls(closed, SILENCE_MS, stalled))
  closed.destroy()
  await t.rejects(ending, { message: /closed early/ })
})

void t.test('destroying the stream destroys its source', async (t) => {
  const source = new PassThrough()
  const stream = withoutStalls(source, SILENCE_MS, stalled)
  stream.destroy()
  await once(source, 'close')
  t.ok(source.destroyed)
})
