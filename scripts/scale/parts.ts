// The servers around the instances, all on this machine.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { honourConditions, type WithMiddleware } from '../../test/support/files/conditional-s3.ts'

const START_MS_MAX = 30_000
const MICROS_PER_TICK = 10_000
/** In /proc/net/tcp (proc(5)): established, and closed by the client only */
const OPEN_STATES: ReadonlySet<string> = new Set(['01', '08'])

export type Part = { pid: number; stop(signal?: NodeJS.Signals): Promise<void> }

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a program and waits until it listens on a port. */
export async function startPart(file: string, args: string[], port: number, env?: NodeJS.ProcessEnv): Promise<Part> {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], ...(env && { env }) })
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

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

export function startRedis(port: number): Promise<Part> {
  return startPart(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    port,
  )
}

/** Starts nginx with the locations of deploy/nginx, without TLS, in front of the instances. */
export function startNginx(folder: string, port: number, instances: readonly number[]): Promise<Part> {
  const shipped = readFileSync('deploy/nginx/tawthiq.conf', 'utf8')
  const location = /^ {4}location \/ \{[\s\S]*?^ {4}\}/m.exec(shipped)?.[0] ?? ''
  const servers = instances.map((each) => `server 127.0.0.1:${each};`).join(' ')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; master_process off; pid ${folder}/nginx.pid; error_log /dev/null;
events { worker_connections 4096; }
http {
  ${paths.join(' ')} access_log off;
  upstream tawthiq { zone instances 64k; ${servers} keepalive 64; keepalive_timeout 60s; }
  server { listen 127.0.0.1:${port}; client_max_body_size 42m; keepalive_requests 1000000;
  ${location.replace('$remote_addr', '$proxy_add_x_forwarded_for')} }
}\n`,
  )
  return startPart('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], port)
}

type S3rver = new (options: object) => WithMiddleware & { run(): Promise<AddressInfo>; close(): Promise<void> }

/** Starts an S3 server in this process. */
export async function startS3(directory: string): Promise<{ port: number; close(): Promise<void> }> {
  const Server = createRequire(import.meta.url)('s3rver') as S3rver
  const options = { port: 0, address: '127.0.0.1', silent: true, directory }
  const server = new Server({ ...options, configureBuckets: [{ name: 'files' }] })
  honourConditions(server)
  const { port } = await server.run()
  return { port, close: () => server.close() }
}

/** Returns the CPU time of a process, in microseconds. */
export function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK
}

/** Counts the open connections of a server on a port of 127.0.0.1. */
export function countConnections(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return lines.filter((line) => {
    const [, address, , state = ''] = line.trim().split(/\s+/)
    return address === local && OPEN_STATES.has(state)
  }).length
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
