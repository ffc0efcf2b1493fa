import { createHash } from 'node:crypto'
import { realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartFailure } from '../../start-failure.ts'

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
  const path = socketPath(folder)
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)))
  server.unref()
  try {
    await listen(server, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await refuseIfHeld(path, folder)
    await removeStale(path, folder)
    await listen(server, path)
  }
  return () => new Promise((resolve) => server.close(() => resolve()))
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
  if (holder === undefined) return
  throw new StartFailure(
    `The data directory ${folder} is in use by ${holder}. Stop it, or set DATA_DIR to another folder.`,
  )
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
