import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../folder.ts'
import { StartFailure } from '../start-failure.ts'
import { newKeys, parseKeyFile, parseKeys, textOf, type Keys } from './keys.ts'
import type { KeyFile } from './keys/shape.ts'

/** What the name of a file ends with that will take the place of a key file */
const DRAFT = '.draft'

/**
 * Reads a key file that only its owner may read.
 *
 * @throws StartFailure when others may read it, or it holds no good keys
 */
export function readKeyFile(path: string): Keys {
  return parseKeys(readPrivately(path), nameOf(path))
}

/** The same, made first if it is not there. */
export function readOrMakeKeyFile(path: string): Keys {
  if (!existsSync(path)) {
    makeFolder(dirname(path))
    const draft = `${path}.${randomUUID()}`
    try {
      writeFileSync(draft, newKeys(), { mode: 0o600 })
      linkUnlessThere(draft, path)
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readKeyFile(path)
}

/**
 * Puts what `change` makes of a key file in its place, whole or not at all, for the same owner and on the disk. Without
 * a change nothing is written.
 *
 * Of those who change it at once at most one succeeds: each begins a draft, takes those of the others away (and what a
 * process that was killed has left), and only then reads.
 *
 * @throws StartFailure when the file is no good or cannot be replaced
 */
export function changeKeyFile(path: string, change: (file: KeyFile) => KeyFile | undefined): void {
  parseKeys(readPrivately(path), nameOf(path))
  const target = realpathSync(path) // a link stays one
  const draft = `${target}.${randomUUID()}${DRAFT}`
  try {
    const descriptor = openSync(draft, 'wx', statSync(target).mode & 0o700)
    try {
      removeDrafts(target, draft)
      const changed = change(parseKeyFile(readPrivately(target), nameOf(path)))
      if (!changed) return
      const text = textOf(changed)
      parseKeys(text, nameOf(path))
      writeFileSync(descriptor, text)
      giveTo(statSync(target), descriptor)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, target)
    syncFolder(dirname(target))
  } catch (error) {
    throw translated(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function translated(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const why = code === 'ENOENT' ? 'another process is changing it. See what it says, and try again' : message
  return new StartFailure(`${nameOf(path)} cannot be replaced: ${why}.`, { cause: error })
}

function removeDrafts(path: string, but: string): void {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const isDraft = name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT)
    if (isDraft && name !== basename(but)) rmSync(join(folder, name), { force: true })
  }
}

/** What root has written the service could not read. */
function giveTo({ uid, gid }: { uid: number; gid: number }, descriptor: number): void {
  if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
}

/** So that the new name outlives a loss of power; Windows has no such thing. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Of many who start at once, the first one makes the keys of all. */
function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readPrivately(path: string): string {
  try {
    const { mode } = statSync(path)
    if (process.platform === 'win32' || (mode & 0o077) === 0) return readFileSync(path, 'utf8')
    throw new StartFailure(
      `${nameOf(path)} can be read by others (mode ${(mode & 0o777).toString(8)}). Run chmod 600 ${path}.`,
    )
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(`${nameOf(path)} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

function nameOf(path: string): string {
  return `The key file ${path}`
}
