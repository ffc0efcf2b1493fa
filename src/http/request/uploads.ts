import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import type { Upload } from '../../domain/files/file.ts'
import { makeDirectory } from '../../lib/directory.ts'
import { OversizedFile, newUpload } from '../../contract/forms/form-values.ts'
import { Failure } from '../../domain/failure.ts'

/** The files of one request. */
export type Uploads = {
  /** Writes a file while it arrives. A larger one than `bytesMax` is read to its end, but not stored. */
  store(file: Readable, bytesMax: number): Promise<Upload | OversizedFile>
  /** Marks all files as abandoned by their client. */
  abandon(): void
  /** Deletes all files, aborts the writes that run, and rejects further ones. */
  clear(): Promise<void>
}

export type Spool = { newUploads(): Uploads }

const OWN = `${hostname()}.${process.pid}.${randomUUID()}`
const HOUR_MS = 3_600_000

/** Opens the directory that stores uploads while their requests run. */
export async function openSpool(folder: string): Promise<Spool> {
  makeDirectory(folder, 'UPLOADS_DIR')
  await sweepUploads(folder)
  return { newUploads: () => newUploads(join(folder, OWN)) }
}

/** Deletes uploads of processes that have ended. */
export async function sweepUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (await isLeftover(name, path)) await rm(path, { recursive: true, force: true })
  }
}

/** The name of each process's directory: `host.pid.uuid` */
const PROCESS_DIRECTORY = /^(.+)\.([0-9]+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Machines may share the directory, and each knows only its own processes. No request takes an hour. */
async function isLeftover(name: string, path: string): Promise<boolean> {
  const [, machine, processId] = PROCESS_DIRECTORY.exec(name) ?? []
  if (name === OWN || machine === undefined) return false // it belongs to another program
  if (machine === hostname()) return Number(processId) === process.pid || !isRunning(Number(processId))
  const found = await stat(path).catch(() => undefined) // another process may have deleted it
  return found !== undefined && found.mtimeMs < Date.now() - HOUR_MS
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it runs as another user
  }
}

/** Makes a directory and signals only when the first file arrives, because most forms have none. */
function newUploads(parent: string): Uploads {
  const clearing = new AbortController() // both make their signals when these are first used
  const abandoning = new AbortController()
  const running = new Set<Promise<unknown>>()
  let folder: string | undefined
  let isAbandoned = false
  let isCleared = false

  const write = async (into: string, file: Readable, bytesMax: number): Promise<Upload | OversizedFile> => {
    await mkdir(into, { recursive: true, mode: 0o700 })
    const path = join(into, randomUUID())
    const handle = await open(path, 'wx', 0o600)
    const cap = capAt(bytesMax)
    await pipeline(file, cap.through, handle.createWriteStream(), { signal: clearing.signal })
    if (isAbandoned) abandoning.abort()
    if (cap.bytes() <= bytesMax) return newUpload({ path, bytes: cap.bytes(), abandoned: abandoning.signal })
    await rm(path, { force: true }) // now: the rest of the form may take long to arrive
    return new OversizedFile(bytesMax)
  }
  return {
    async store(file, bytesMax) {
      if (isCleared) throw new Error('the files of the request have been deleted')
      folder ??= join(parent, randomUUID())
      const writing = write(folder, file, bytesMax).finally(() => running.delete(settled))
      const settled = writing.catch(() => undefined)
      running.add(settled)
      return writing
    },
    abandon() {
      isAbandoned = true
      if (folder !== undefined) abandoning.abort()
    },
    async clear() {
      isCleared = true
      if (folder === undefined) return
      clearing.abort()
      await Promise.all(running)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined) // left to the sweep of the next start
    },
  }
}

/** Counts the bytes of a stream, and passes on the first `bytesMax`. */
function capAt(bytesMax: number): { bytes: () => number; through: Transform } {
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(null, bytes <= bytesMax ? chunk : undefined)
    },
  })
  return { bytes: () => bytes, through }
}

/** Limits the bytes of a form: its parser reads the raw request, where Fastify's own limit does not apply. */
export function startMeter({ raw }: FastifyRequest, bytesMax: number): { overflow: Promise<never>; stop: () => void } {
  let bytes = 0
  let count: (chunk: Buffer) => void = () => undefined
  const overflow = new Promise<never>((_, reject) => {
    count = (chunk) => {
      bytes += chunk.length
      if (bytes <= bytesMax) return
      raw.unpipe()
      reject(new Failure('body_too_large'))
    }
  })
  raw.on('data', count)
  raw.pause() // until the parser reads it
  return { overflow, stop: () => raw.off('data', count) }
}
