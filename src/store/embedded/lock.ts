import { createHash } from 'node:crypto'
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderInUse } from '../../start-failure.ts'

const SOCKET_PATH_BYTES_MAX = 100
const ANSWER_MS_MAX = 1000

/**
 * Keeps a folder to one process. The lock is a socket that the process listens on, so the kernel knows whether its
 * holder lives: a process id could belong to somebody else by now, or to this very process after a restart.
 * Resolves to what releases it.
 *
 * @throws StartFailure when another process holds the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const held: Server[] = []
  const unlock = async (): Promise<void> => {
    for (const server of held.splice(0)) await new Promise((resolve) => server.close(resolve))
  }
  try {
    if (process.platform === 'linux') held.push(await hold(abstractName(folder), folder))
    held.push(await holdFile(socketPath(folder), folder))
  } catch (error) {
    await unlock()
    throw isTaken(error) ? new FolderInUse(folder, 'another process') : error
  }
  return unlock
}

/**
 * A name that the kernel forgets with its holder, so it is never stale and only one process gets it. Containers that
 * share a folder do not share such names: for them there is the socket in the folder.
 */
function abstractName(folder: string): string {
  const { dev, ino } = statSync(folder)
  return `\0tawthiq-${dev}-${ino}`
}

async function hold(path: string, folder: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)))
  server.unref()
  try {
    await listen(server, path)
  } catch (error) {
    if (isTaken(error)) await refuseIfHeld(path, folder)
    throw error
  }
  return server
}

/** A socket that a killed process left behind is in the way, and is removed. */
async function holdFile(path: string, folder: string): Promise<Server> {
  try {
    return await hold(path, folder)
  } catch (error) {
    if (!isTaken(error)) throw error
  }
  await removeStale(path, folder)
  return hold(path, folder)
}

function socketPath(folder: string): string {
  const path = join(realpathSync(folder), 'database.lock')
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

async function refuseIfHeld(path: string, folder: string): Promise<void> {
  const holder = await holderOf(path)
  if (holder !== undefined) throw new FolderInUse(folder, holder)
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}

/** Moves the socket aside before it is removed: whoever took the lock in the meantime gets it back. */
async function removeStale(path: string, folder: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  renameSync(path, aside)
  try {
    await refuseIfHeld(aside, folder)
  } catch (error) {
    renameSync(aside, path)
    throw error
  }
  rmSync(aside, { force: true })
}

/** Who listens at the path; undefined when nobody does. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let pid = ''
    const socket = connect(path)
    const finish = (): void => {
      socket.destroy()
      resolve(pid ? `process ${pid}` : 'another process')
    }
    socket.setTimeout(ANSWER_MS_MAX, finish)
    socket.on('data', (text) => (pid += text.toString())).on('end', finish)
    socket.on('error', () => resolve(undefined))
  })
}
