import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from '../../lib/directory.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { newKeys, parseKeyFile, parseKeys, serializeKeyFile } from './index.ts'
import type { KeyFile } from './key-file-schema.ts'
import { describeKeyFile, readPrivateFile } from './private-file.ts'

/** The suffix of a file that is about to replace a key file */
const DRAFT_SUFFIX = '.draft'

export function makeKeyFileIfMissing(path: string): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path), 'KEYS_FILE')
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, newKeys(), { mode: 0o600 })
    linkSync(draft, path)
  } catch (error) {
    // If several processes start at once, all use the keys of the first one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Replaces a key file atomically and durably with the result of `change`, with the same owner. Writes nothing if
 * `change` returns undefined.
 *
 * At most one of several concurrent changes succeeds: each creates a draft, removes all other drafts (including those
 * of processes that were killed), and only then reads the file.
 *
 * @throws StartupError if the file is invalid or cannot be replaced
 */
export function changeKeyFile(path: string, change: (file: KeyFile) => KeyFile | undefined): void {
  parseKeys(readPrivateFile(path), describeKeyFile(path))
  const target = realpathSync(path) // replaces the target of a symbolic link
  const draft = `${target}.${randomUUID()}${DRAFT_SUFFIX}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      removeDrafts(target, draft)
      const changed = change(parseKeyFile(readPrivateFile(target), describeKeyFile(path)))
      if (!changed) return
      const text = serializeKeyFile(changed)
      parseKeys(text, describeKeyFile(path))
      writeFileSync(descriptor, text)
      const { uid, gid, mode } = statSync(target) // otherwise, the service could not read a file that root writes
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
      fchmodSync(descriptor, mode & 0o777)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, target)
    syncDirectory(dirname(target))
  } catch (error) {
    throw toStartupError(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function toStartupError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const why = code === 'ENOENT' ? 'another process is changing it. Try again' : message
  return new StartupError(`${describeKeyFile(path)} cannot be replaced: ${why}.`, { cause: error })
}

function removeDrafts(path: string, except: string): void {
  const directory = dirname(path)
  for (const name of readdirSync(directory)) {
    const isDraft = name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT_SUFFIX)
    if (isDraft && name !== basename(except)) rmSync(join(directory, name), { force: true })
  }
}

/** Makes a rename durable. Windows has no equivalent. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
