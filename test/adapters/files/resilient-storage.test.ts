// Calls to a file storage that is down, slow or hanging.
import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { directoryStorage } from '../../../src/adapters/files/directory.ts'
import { resilientStorage } from '../../../src/adapters/files/resilient-storage.ts'
import { s3Storage } from '../../../src/adapters/files/s3.ts'
import type { FileStorage } from '../../../src/adapters/files/storage.ts'
import { CircuitOpenError } from '../../../src/adapters/resilience/circuit.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { openFaultyS3, PAUSE_MS } from '../../support/files/faulty-s3.ts'
import { image, PDF, upload } from '../../support/files/files.ts'
import { temporaryFolder } from '../../support/processes/process.ts'

const CALL_MS = 300
/** The default of circuit breakers, so that they close within 5 s after the repair */
const OPEN_MS = 4000
const UNAVAILABLE = { name: 'Failure', code: 'storage_unavailable' }
const FAILURES_MAX = 5

const never = (): Promise<never> => new Promise(() => undefined)
const list: FileStorage['list'] = () => ({ [Symbol.asyncIterator]: () => ({ next: never }) })
const hanging: FileStorage = {
  description: 'A storage that hangs',
  newKey: () => 'key',
  isOwnKey: () => true,
  put: never,
  read: never,
  remove: never,
  list,
  readMarker: never,
  writeMarker: never,
  hasConditionalWrites: never,
}

/** A storage that hangs or fails on request, and counts its calls. */
function unreliableStorage(): FileStorage & { behavior: 'well' | 'fails' | 'hangs'; calls: number } {
  const storage = {
    ...hanging,
    behavior: 'well' as 'well' | 'fails' | 'hangs',
    calls: 0,
    async read(): Promise<undefined> {
      storage.calls++
      if (storage.behavior === 'hangs') await never()
      if (storage.behavior === 'fails') throw new Error('planted')
    },
  }
  return storage
}

/** What a call throws, if anything */
const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )

/** Stops the clock that circuits read, and returns a function that moves it. Deadlines use timers, which go on. */
function stopClock(t: Test): (ms: number) => void {
  let nowMs = Date.now()
  t.intercept(Date, 'now', { value: () => nowMs })
  return (ms) => void (nowMs += ms)
}

/** The first read that succeeds, trial calls on a slow machine aside */
async function firstRead(storage: FileStorage, key: string, pass: (ms: number) => void): Promise<Readable | undefined> {
  for (let count = 0; count < 100; count++) {
    pass(OPEN_MS)
    const stream = await storage.read(key).catch(() => undefined)
    if (stream) return stream
  }
  return undefined
}

void t.test('aborts every call to a storage that hangs', async (t) => {
  const signals: (AbortSignal | undefined)[] = []
  const noting = {
    ...hanging,
    put: (_k: string, _p: string, _t: string, s?: AbortSignal) => (signals.push(s), never()),
  }
  const storage = resilientStorage(noting, { callMs: 50 })
  await t.rejects(storage.put('key', 'path', 'type'), UNAVAILABLE)
  await t.rejects(storage.read('key'), UNAVAILABLE)
  await t.rejects(storage.remove('key'), UNAVAILABLE)
  await t.rejects(storage.list()[Symbol.asyncIterator]().next(), UNAVAILABLE)
  t.equal(signals[0]?.aborted, true)
})

void t.test('stops calling a storage after five failures until a trial call succeeds', async (t) => {
  const unreliable = unreliableStorage()
  const pass = stopClock(t)
  const storage = resilientStorage(unreliable, { callMs: CALL_MS })
  for (const behavior of ['fails', 'well', 'fails', 'fails', 'fails', 'fails'] as const) {
    unreliable.behavior = behavior
    await outcomeOf(storage.read('key'))
  }
  unreliable.behavior = 'well'
  await storage.read('key')
  t.equal(unreliable.calls, 7, 'successes in between and missing files do not count as failures')

  unreliable.behavior = 'fails'
  for (let count = 0; count < FAILURES_MAX; count++) await t.rejects(storage.read('key'), UNAVAILABLE)
  const calls = unreliable.calls
  await t.rejects(storage.read('key'), UNAVAILABLE)
  t.equal(unreliable.calls, calls, 'the storage is not called while the circuit is open')

  unreliable.behavior = 'hangs'
  pass(OPEN_MS)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(storage.read('key'))))
  t.equal(unreliable.calls, calls + 1, 'one trial call is sent')
  const isRefused = (error: unknown): boolean => error instanceof Failure && error.cause instanceof CircuitOpenError
  t.equal(outcomes.filter(isRefused).length, 9, 'no other call waits for the trial')

  unreliable.behavior = 'well'
  pass(OPEN_MS)
  await storage.read('key')
  await storage.read('key')
  t.equal(unreliable.calls, calls + 3)
})

void t.test('closes the connection of an aborted call to S3', async (t) => {
  const s3 = await openFaultyS3()
  const storage = resilientStorage(s3Storage(s3.options), { callMs: CALL_MS })
  const { path } = await upload(await image())
  s3.behavior = 'hangs'
  const calls = [storage.put('x', path, 'image/jpeg'), storage.read('x'), storage.remove('x')]
  for (const error of await Promise.all(calls.map(outcomeOf))) t.match(error, UNAVAILABLE)
  for (let count = 0; count < 3000 && (await s3.connections()) > 0; count++) await sleep(10)
  t.equal(await s3.connections(), 0)
})

void t.test('fails when S3 sends no body or stalls in the middle', async (t) => {
  const s3 = await openFaultyS3()
  const storage = resilientStorage(s3Storage(s3.options), { callMs: 1000, silenceMs: CALL_MS })
  await storage.put('x', (await upload(await image('jpeg', 800, 800))).path, 'image/jpeg')
  s3.behavior = 'withholds'
  await t.rejects(storage.read('x'), UNAVAILABLE)
  s3.behavior = 'stalls'
  const stream = await storage.read('x')
  await t.rejects(buffer(stream ?? Readable.from([])), UNAVAILABLE)
  t.equal(stream?.destroyed, true)
})

void t.test('reads from a slow S3 that never stalls', async (t) => {
  const s3 = await openFaultyS3()
  const storage = resilientStorage(s3Storage(s3.options), { callMs: 5000, silenceMs: 4 * PAUSE_MS })
  const bytes = await image('jpeg', 800, 800)
  s3.behavior = 'slowly'
  await storage.put('x', (await upload(bytes)).path, 'image/jpeg')
  const stream = await storage.read('x')
  t.same(stream && (await buffer(stream)), bytes)
  t.equal(await storage.read('absent'), undefined)
})

void t.test('uses S3 again after it recovers', async (t) => {
  const s3 = await openFaultyS3()
  const pass = stopClock(t)
  const storage = resilientStorage(s3Storage(s3.options), { callMs: CALL_MS })
  await storage.put('x', (await upload(PDF)).path, 'application/pdf')
  s3.behavior = 'hangs'
  await Promise.all(Array.from({ length: FAILURES_MAX }, () => t.rejects(storage.read('x'), UNAVAILABLE)))
  const requestsBefore = s3.requests.length
  t.match(await outcomeOf(storage.read('x')), { ...UNAVAILABLE, cause: { name: 'CircuitOpenError' } })
  t.equal(s3.requests.length, requestsBefore)
  s3.behavior = 'well'
  const stream = await firstRead(storage, 'x', pass)
  t.same(stream && (await buffer(stream)), PDF)
})

/** Opening a named pipe blocks its thread until a writer opens it, like a file on a hanging network drive. */
void t.test('limits the threads that a hanging directory blocks', async (t) => {
  const directory = join(temporaryFolder(), 'files')
  const pass = stopClock(t)
  const storage = resilientStorage(directoryStorage(directory), { callMs: CALL_MS })
  await storage.put('good', (await upload(PDF)).path, 'application/pdf')
  const pipes = Array.from({ length: 10 }, (_, at) => join(directory, `pipe-${at}`))
  execFileSync('mkfifo', pipes)
  const unblock = async (): Promise<void> => {
    const { O_RDWR, O_NONBLOCK } = constants
    const ends = await Promise.all(pipes.map((path) => open(path, O_RDWR | O_NONBLOCK)))
    t.teardown(() => Promise.all(ends.map((end) => end.close())))
  }
  const reads = await Promise.all(pipes.map((_, at) => outcomeOf(storage.read(`pipe-${at}`))))
  for (const error of reads) t.match(error, UNAVAILABLE)
  await t.resolves(stat(directory), 'other files are available')
  await t.rejects(storage.put('new', (await upload(PDF)).path, 'application/pdf'), UNAVAILABLE)

  await unblock()
  const stream = await firstRead(storage, 'good', pass)
  t.same(stream && (await buffer(stream)), PDF, 'the directory is used again')
  t.equal(await storage.read('new'), undefined, 'the rejected file is not stored later')
})
