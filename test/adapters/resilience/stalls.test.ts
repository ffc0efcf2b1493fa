// Streams with a stalled source, and streams with a slow reader.
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { withStallTimeout } from '../../../src/adapters/resilience/stalls.ts'

const SILENCE_MS = 150
const stalled = (cause: Error): Error => new Error('stalled', { cause })

/** Resolves when a stream beside the tested one has been aborted after its silence. */
async function oneSilence(t: Test): Promise<void> {
  await t.rejects(buffer(withStallTimeout(new PassThrough(), SILENCE_MS, stalled)), { message: 'stalled' })
}

void t.test('passes on all bytes in order', async (t) => {
  const chunks = Array.from({ length: 500 }, (_, at) => Buffer.alloc(1000, at))
  const stream = withStallTimeout(Readable.from(chunks), SILENCE_MS, stalled)
  t.same(await buffer(stream), Buffer.concat(chunks))
})

void t.test('passes on an empty source', async (t) => {
  const stream = withStallTimeout(Readable.from([]), SILENCE_MS, stalled)
  t.equal((await buffer(stream)).length, 0)
})

void t.test('destroys both streams when the source stalls', async (t) => {
  const source = new PassThrough()
  const stream = withStallTimeout(source, SILENCE_MS, stalled)
  source.write('half')
  await t.rejects(buffer(stream), { message: 'stalled' })
  t.ok(source.destroyed)
})

void t.test('waits for a slow source that never stalls', async (t) => {
  const source = new PassThrough()
  const bytes = buffer(withStallTimeout(source, 8 * SILENCE_MS, stalled))
  for (let count = 0; count < 10; count++) {
    source.write('x')
    await oneSilence(t) // longer in total than the source may be silent
  }
  source.end()
  t.equal((await bytes).toString(), 'x'.repeat(10))
})

void t.test('does not count the pauses of the reader', async (t) => {
  const chunk = Buffer.alloc(64 * 1024)
  const chunks = Array.from({ length: 20 }, () => chunk)
  const stream = withStallTimeout(Readable.from(chunks), SILENCE_MS, stalled)
  await once(stream, 'readable')
  for (let count = 0; count < 3; count++) await oneSilence(t)
  t.notOk(stream.destroyed)
  t.equal((await buffer(stream)).length, 20 * chunk.length)
})

void t.test('fails when the source fails or closes early', async (t) => {
  const broken = new PassThrough()
  const failing = buffer(withStallTimeout(broken, SILENCE_MS, stalled))
  broken.destroy(new Error('broken'))
  await t.rejects(failing, { message: 'broken' })
  const closed = new PassThrough()
  const ending = buffer(withStallTimeout(closed, SILENCE_MS, stalled))
  closed.destroy()
  await t.rejects(ending, { message: /closed early/ })
})

void t.test('destroys the source with the stream', async (t) => {
  const source = new PassThrough()
  const stream = withStallTimeout(source, SILENCE_MS, stalled)
  stream.destroy()
  await once(source, 'close')
  t.ok(source.destroyed)
})
