import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Upload } from '../domain/upload.ts'
import { makeFolder } from '../folder.ts'
import { OversizedFile } from './forms/oversized-file.ts'

/** The files of one request. */
export type Uploads = {
  /** Writes a file while it arrives. One that is larger than that is read to its end, but not kept. */
  take(file: Readable, bytesMax: number): Promise<Upload | OversizedFile>
  /** Says of all that their sender has left. */
  abandon(): void
  /** Deletes all; what is being written is cut off, and nothing more is taken. */
  clear(): Promise<void>
}

export type Spool = { newUploads(): Uploads }

const uploads = new WeakSet<object>()

/** Whether a value is a file that came with a form, and not something that looks like one. */
export function isUpload(value: unknown): boolean {
  return typeof value === 'object' && value !== null && uploads.has(value)
}

const OWN = `${hostname()}.${process.pid}.${randomUUID()}`
const HOUR_MS = 3_600_000

/** Opens the place where uploads stay while a request runs. */
export async function openSpool(folder: string): Promise<Spool> {
  makeFolder(folder)
  await sweepUploads(folder)
  return { newUploads: () => newUploads(join(folder, OWN, randomUUID())) }
}

/** Deletes what processes left there that have ended. */
export async function sweepUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (await isLeftover(name, path)) await rm(path, { recursive: true, force: true })
  }
}

/** The name that each process gives to its folder: `host.pid.uuid`. */
const OF_A_PROCESS = /^(.+)\.([0-9]+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Machines may share the folder, and only they know which of their processes run; but no request takes an hour. */
async function isLeftover(name: string, path: string): Promise<boolean> {
  const [, machine, processId] = OF_A_PROCESS.exec(name) ?? []
  if (name === OWN || machine === undefined) return false // what others keep there is not ours to delete
  if (machine === hostname()) return Number(processId) === process.pid || !isRunning(Number(processId))
  const found = await stat(path).catch(() => undefined) // others sweep as well
  return found !== undefined && found.mtimeMs < Date.now() - HOUR_MS
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it runs as somebody else
  }
}

function newUploads(folder: string): Uploads {
  const clearing = new AbortController()
  const abandoning = new AbortController()
  const { signal } = clearing
  const running = new Set<Promise<unknown>>()

  const write = async (file: Readable, bytesMax: number): Promise<Upload | OversizedFile> => {
    signal.throwIfAborted()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, randomUUID())
    const handle = await open(path, 'wx', 0o600)
    const cap = capAt(bytesMax)
    await pipeline(file, cap.through, handle.createWriteStream(), { signal })
    if (cap.bytes() <= bytesMax) return newUpload({ path, bytes: cap.bytes(), abandoned: abandoning.signal })
    await rm(path, { force: true }) // at once: the rest of the form may take its time
    return new OversizedFile(bytesMax)
  }
  return {
    take(file, bytesMax) {
      const writing = write(file, bytesMax).finally(() => running.delete(settled))
      const settled = writing.catch(() => undefined)
      running.add(settled)
      return writing
    },
    abandon: () => abandoning.abort(),
    async clear() {
      clearing.abort()
      await Promise.all(running)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Counts what passes, and lets no more than that through. */
function capAt(bytesMax: number): { bytes: () => number; through: (chunks: Readable) => AsyncGenerator<Buffer> } {
  let bytes = 0
  return {
    bytes: () => bytes,
    async *through(chunks) {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes <= bytesMax) yield chunk
      }
    },
  }
}

function newUpload(upload: Upload): Upload {
  uploads.add(upload)
  return upload
}
