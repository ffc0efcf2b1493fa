import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { StartupError } from '../../lib/startup-error.ts'

/**
 * Reads the text of a key file that only its owner can read, or that root provides.
 *
 * @throws StartupError if others can read it
 */
export function readPrivateFile(path: string): string {
  try {
    requirePrivate(path, statSync(path))
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw toReadError(error, path)
  }
}

/** Does the same without blocking requests. */
export async function readKeyText(path: string): Promise<string> {
  try {
    requirePrivate(path, await stat(path))
    return await readFile(path, 'utf8')
  } catch (error) {
    throw toReadError(error, path)
  }
}

type FileAccess = Readonly<{ mode: number; uid: number }>

function requirePrivate(path: string, { mode, uid }: FileAccess): void {
  if (process.platform === 'win32' || isPrivate({ mode, uid })) return
  throw new StartupError(
    `${describeKeyFile(path)} is accessible to other users (mode ${(mode & 0o777).toString(8)}). Run chmod 600 ${path}.`,
  )
}

/**
 * Returns whether only the owner of a file can read it. The group can read it too if the file belongs to root, as
 * Kubernetes and systemd provide secrets to processes without rights.
 */
export function isPrivate({ mode, uid }: FileAccess): boolean {
  return (mode & (uid === 0 ? 0o037 : 0o077)) === 0
}

function toReadError(error: unknown, path: string): StartupError {
  if (error instanceof StartupError) return error
  return new StartupError(`${describeKeyFile(path)} cannot be read: ${(error as Error).message}.`, { cause: error })
}

export function describeKeyFile(path: string): string {
  return `The key file ${path}`
}
