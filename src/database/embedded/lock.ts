import { createHash } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DirectoryInUse } from '../../lib/startup-error.ts'

const SOCKET_PATH_BYTES_MAX = 100
const RESPONSE_MS_MAX = 1000

/**
 * Locks a directory for this process. The lock is a socket that the process listens on, so the kernel knows whether the
 * process is still running. A stored process id could meanwhile belong to another process.
 *
 * @returns a function that releases the lock
 * @throws DirectoryInUse if another process has the lock
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const acquired: Server[] = []
  const unlock = async (): Promise<void> => {
    for (const server of acquired.splice(0)) await new Promise((resolve) => server.close(resolve))
  }
  try {
    if (process.platform === 'linux') acquired.push(await acquire(abstractName(directory), directory))
    acquired.push(await listenOnFile(socketPath(directory), directory))
  } catch (error) {
    await unlock()
    throw isTaken(error) ? new DirectoryInUse(directory, 'another process') : error
  }
  return unlock
}

/**
 * Returns the name of an abstract socket. The kernel removes it with its process, so it is never stale. Containers that
 * share a directory do not share such names, so they are locked out by the socket in the directory.
 */
function abstractName(directory: string): string {
  const { dev, ino } = statSync(directory)
  return `\0tawthiq-${dev}-${ino}`
}

async function acquire(path: string, directory: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)))
  server.unref()
  try {
    await listen(server, path)
  } catch (error) {
    if (isTaken(error)) await rejectIfHeld(path, directory)
    throw error
  }
  return server
}

/** Listens on a socket file. Removes the file first if a killed process left it behind. */
async function listenOnFile(path: string, directory: string): Promise<Server> {
  try {
    return await acquire(path, directory)
  } catch (error) {
    if (!isTaken(error)) throw error
  }
  await removeStale(path, directory)
  return acquire(path, directory)
}

function socketPath(directory: string): string {
  const path = join(realpathSync(directory), 'database.lock')
  if (process.platform !== 'win32' && Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  const name = `tawthiq-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function rejectIfHeld(path: string, directory: string): Promise<void> {
  const holder = await findHolder(path)
  if (holder !== undefined) throw new DirectoryInUse(directory, holder)
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

/** Removes a stale socket. Moves it first and checks again, so that a lock acquired in the meantime can be restored. */
async function removeStale(path: string, directory: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  renameSync(path, aside)
  try {
    await rejectIfHeld(aside, directory)
  } catch (error) {
    renameSync(aside, path)
    throw error
  }
  rmSync(aside, { force: true })
}

/** Returns the process that listens at a path; undefined if none does. */
function findHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let pid = ''
    const socket = connect(path)
    const finish = (): void => {
      socket.destroy()
      resolve(pid ? `process ${pid}` : 'another process')
    }
    socket.setTimeout(RESPONSE_MS_MAX, finish)
    socket.on('data', (text) => (pid += text.toString())).on('end', finish)
    socket.on('error', () => resolve(undefined))
  })
}
