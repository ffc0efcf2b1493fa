// What the parts of a run need: Debian's packages are installed, and servers are started, where that is possible.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRoot } from '../../test/support/servers/postgres-server.ts'
import { freePort, listens, startPart } from '../load/parts.ts'
import { isInstalled, type Session } from '../load/session.ts'
import type { Need, Part } from './parts.ts'

/** The packages of programs, where their names differ */
const PACKAGES: Partial<Record<Need, string>> = {
  nginx: 'nginx-light',
  kubectl: 'kubernetes-client',
  promtool: 'prometheus',
  unshare: 'util-linux',
  'dpkg-deb': 'dpkg',
}
const { CI_DATABASE_URL, CI_REDIS_URL } = process.env
const SERVER = CI_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres'
const REDIS = CI_REDIS_URL ?? 'redis://127.0.0.1:6379'
const LISTENS_MS_MAX = 30_000
const CLIENTS_MAX = 2000
const CONNECTIONS_MAX = 10

export type Prepared = Readonly<{
  variables: Readonly<Record<string, string>>
  /** What a part needs and this machine does not have */
  missingFor(part: Part): readonly Need[]
}>

export async function prepare(session: Session, parts: readonly Part[]): Promise<Prepared> {
  const needed = new Set(parts.flatMap(({ needs = [] }) => needs))
  install([...needed].filter((need) => need !== 'servers' && need !== 'root' && !isInstalled(need)))
  if (needed.has('servers')) await startServers()
  const present = new Set<Need>()
  for (const need of needed) if (await isPresent(need)) present.add(need)
  const pooler = present.has('servers') && present.has('pgbouncer') ? await startPooler(session) : ''
  return {
    variables: { SERVER, REDIS, POOLER: pooler },
    missingFor: ({ needs = [] }) => needs.filter((need) => !present.has(need)),
  }
}

function install(programs: readonly Need[]): void {
  if (programs.length === 0 || !isInstalled('apt-get') || !isRoot()) return
  console.log(`Installing ${programs.join(', ')} …`)
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], options)
  // One by one: a package that conflicts with another one of this machine leaves the others
  for (const each of programs)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGES[each] ?? each], options)
}

async function startServers(): Promise<void> {
  await startServer(SERVER, 'pg_ctlcluster', () => {
    const [version = ''] = readdirSync('/etc/postgresql').sort().reverse()
    return ['--skip-systemctl-redirect', version, 'main', 'start']
  })
  const { hostname, port } = new URL(REDIS)
  const options = { daemonize: 'yes', bind: hostname, port, save: '', appendonly: 'no' }
  await startServer(REDIS, 'redis-server', () =>
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  )
}

/** Starts a server that is installed and does not listen yet, and waits until it does. */
async function startServer(url: string, program: string, listArguments: () => string[]): Promise<void> {
  if (!isInstalled(program) || (await answers(url))) return
  spawnSync(program, listArguments())
  const deadlineMs = Date.now() + LISTENS_MS_MAX
  while (!(await answers(url)) && Date.now() < deadlineMs) await sleep(100)
}

async function isPresent(need: Need): Promise<boolean> {
  if (need === 'root') return isRoot()
  if (need === 'servers') return (await answers(SERVER)) && (await answers(REDIS))
  return isInstalled(need)
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return listens(Number(port), hostname)
}

/** Starts a PgBouncer with the settings of deploy/ in front of PostgreSQL until the session ends. Returns its URL. */
async function startPooler({ folder, onEnd }: Session): Promise<string> {
  const [port, server] = [await freePort(), new URL(SERVER)]
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    max_client_conn: CLIENTS_MAX,
    default_pool_size: CONNECTIONS_MAX,
    server_idle_timeout: 1,
    unix_socket_dir: '',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  const target = `* = host=${server.hostname} port=${server.port} user=${server.username}`
  const deployed = readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8').replace(/^tawthiq = .*$/m, target)
  writeFileSync(file, `${deployed}${lines.join('\n')}\n`) // a second section [pgbouncer] would reset the first one
  const part = await startPart('pgbouncer', [...(isRoot() ? ['--user', 'postgres'] : []), '--quiet', file], port)
  onEnd(() => part.stop('SIGTERM'))
  server.port = String(port)
  return server.href
}
