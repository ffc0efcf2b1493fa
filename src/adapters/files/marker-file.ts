import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flush, undefinedIfAbsent } from './directory-files.ts'
import { ANY_VERSION, type ExpectedVersion, type FileStorage, type StoredMarker } from './storage.ts'

/** Starts with a dot, so that it is not listed as a file. */
const CLAIM = '.tawthiq-store.claim'
/** A claim takes milliseconds. An older one is of a process that was killed. */
const CLAIM_MS_MAX = 10_000

/**
 * Replaces a file only if it still has an expected content, also if other processes or machines try the same.
 *
 * A writer creates a directory, the claim, which only one writer can do. It writes a draft with a random name into it,
 * compares the file, and moves the draft over it. A writer that removes an abandoned claim moves the directory away first. A
 * writer that was only paused then fails to move its draft, so a wrong guess that a claim is abandoned overwrites nothing.
 */
export function createMarkerFile(directory: string, name: string): Pick<FileStorage, 'readMarker' | 'writeMarker'> {
  const path = join(directory, name)
  const claim = join(directory, CLAIM)
  const readMarker = async (): Promise<StoredMarker | undefined> => {
    const text = await readFile(path, 'utf8').catch(undefinedIfAbsent)
    if (text === undefined) await stat(directory) // a missing directory is an error, not a missing marker
    return text === undefined ? undefined : { text, version: text }
  }
  const replace = async (text: string, expected: ExpectedVersion, draft: string): Promise<boolean> => {
    await writeFile(draft, text)
    await flush(draft, 0o600)
    if (expected !== ANY_VERSION && (await readMarker())?.version !== expected) return false
    await rename(draft, path)
    await flush(directory)
    return true
  }
  return {
    readMarker,
    async writeMarker(text, expected) {
      await removeAbandoned(claim)
      const isClaimed = await mkdir(claim, { mode: 0o700 }).then(() => true, falseIfPresent)
      if (!isClaimed) return false
      const draft = join(claim, randomUUID())
      try {
        return await replace(text, expected, draft)
      } catch (error) {
        undefinedIfAbsent(error) // another writer has removed the claim
        await stat(directory)
        return false
      } finally {
        await rm(draft, { force: true })
        await rmdir(claim).catch(() => undefined) // fails if it is the claim of another writer
      }
    },
  }
}

function falseIfPresent(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

async function removeAbandoned(claim: string): Promise<void> {
  const found = await stat(claim).catch(undefinedIfAbsent)
  if (!found || Math.abs(Date.now() - found.mtimeMs) < CLAIM_MS_MAX) return
  const removed = `${claim}.${randomUUID()}`
  await rename(claim, removed).catch(undefinedIfAbsent)
  await rm(removed, { recursive: true, force: true })
}
