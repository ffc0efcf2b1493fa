// nginx and Caddy with the configurations of deploy/, if they are installed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '../processes/process.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'
import { freePort } from '../../../scripts/load/parts.ts'

const START_MS_MAX = 30_000

type Options = { folder: string; port: number; upstream: string }
type Start = { file: string; args: string[] }

/** How to start each proxy with its file, in which the addresses and the certificate are replaced */
export const PROXIES: Record<string, (options: Options) => Start> = {
  nginx({ folder, port, upstream }) {
    const shipped = readFileSync('deploy/nginx/tawthiq.conf', 'utf8')
      .replace(/server \{\n {4}listen 80;[\s\S]*?\n\}\n/, '') // the redirect to HTTPS
      .replace('127.0.0.1:3000', upstream)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/ {4}listen \[::\].*\n/, '')
      .replace('/etc/ssl/certs/accounts.example.pem', join(folder, 'certificate.pem'))
      .replace('/etc/ssl/private/accounts.example.key', join(folder, 'key.pem'))
      .replace('/var/log/nginx', folder)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr; events {}\n${workerUser()}\nhttp {\n` +
        temporary.map((name) => `${name}_temp_path ${folder}/${name};\n`).join('') +
        `${shipped}}\n`,
    )
    return { file: 'nginx', args: ['-p', folder, '-c', join(folder, 'nginx.conf')] }
  },
  caddy({ folder, port, upstream }) {
    const shipped = readFileSync('deploy/caddy/Caddyfile', 'utf8')
      .replace('{\n\tservers', '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers')
      .replace('accounts.example {', `https://127.0.0.1:${port} {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`)
      .replace('127.0.0.1:3000', upstream)
    writeFileSync(join(folder, 'Caddyfile'), shipped)
    return { file: 'caddy', args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')] }
  },
}

/** Workers of nginx that root starts need a user who can read the temporary folder. */
function workerUser(): string {
  return process.getuid?.() === 0 ? 'user root;' : ''
}

export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts a proxy in front of a service. Returns its port. */
export async function startReverseProxy(name: string, origin: string): Promise<number> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'certificate.pem'), CERTIFICATE)
  writeFileSync(join(folder, 'key.pem'), CERTIFICATE_KEY)
  const port = await freePort()
  const start = PROXIES[name]?.({ folder, port, upstream: new URL(origin).host })
  if (!start) throw new Error(`There is no proxy ${name}.`)
  const { PATH = '' } = process.env
  const child = spawn(start.file, start.args, {
    env: { PATH, HOME: join(folder, 'home') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const deadlineMs = Date.now() + START_MS_MAX
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadlineMs) throw new Error(`${name} does not listen: ${output}`)
    await sleep(20)
  }
  return port
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
}
