import { open } from 'node:fs/promises'

/** Waits until a file, or the entries of a directory, are on the disk. */
export async function flush(path: string, mode?: number): Promise<void> {
  const handle = await open(path)
  try {
    if (mode !== undefined) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Handles the error of a file system call: an absent file is undefined, and everything else is thrown again. */
export function undefinedIfAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
