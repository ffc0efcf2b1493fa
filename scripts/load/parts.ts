// Programs and servers that run beside the service on this machine, and what a process uses.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from './session.ts'

const START_MS_MAX = 120_000
const MICROS_PER_TICK = 10_000

export type Part = { pid: number; stop(signal?: NodeJS.Signals): Promise<void> }

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnFreePort(server)
  server.close()
  await once(server, 'close')
  return port
}

export async function listenOnFreePort(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

export function at127(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** Starts a server that accepts traces, events or messages and discards them. Returns its origin. */
export async function openReceiver({ onEnd }: Pick<Session, 'onEnd'>): Promise<string> {
  const server = createHttpServer((request, response) =>
    request.resume().on('end', () => response.writeHead(204).end()),
  )
  onEnd(() => server.close().closeAllConnections())
  return at127(await listenOnFreePort(server))
}

/** Starts a program and waits until it listens on a port. */
export async function startPart(
  file: string,
  args: string[],
  port: number,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Part> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const deadlineMs = Date.now() + START_MS_MAX
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error(`${file} does not listen: ${output}`)
    await sleep(10)
  }
  return { pid: child.pid ?? 0, stop: (signal = 'SIGTERM') => stop(child, signal) }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Repeats each work. Returns a function that aborts the signal, and waits until the works have ended. */
export function repeat(...works: readonly ((signal: AbortSignal) => Promise<unknown>)[]): () => Promise<void> {
  const stopping = new AbortController()
  const running = works.map(async (work) => {
    while (!stopping.signal.aborted) await work(stopping.signal)
  })
  return async () => {
    stopping.abort()
    await Promise.all(running)
  }
}

export async function listens(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host)
  const connected = await once(socket, 'connect').catch(() => undefined)
  socket.destroy()
  return connected !== undefined
}

/** Returns the CPU time of processes with their threads, in microseconds. */
export function cpuMicros(...pids: readonly number[]): number {
  const ticks = pids.map(statOf).map((stat) => Number(stat[11]) + Number(stat[12]))
  return ticks.reduce((sum, each) => sum + each, 0) * MICROS_PER_TICK
}

/** Returns the state, the parent and what follows in /proc/pid/stat (proc(5)); nothing if the process has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => statOf(each)[1] === String(pid))
}

/** Returns whether a process has not ended. */
export function isRunning(pid: number): boolean {
  const [state] = statOf(pid)
  return state !== undefined && state !== 'Z'
}

/** Returns the time of the main thread of a process on the processors: from schedstat, which has nanoseconds. */
export function threadMicros(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}
