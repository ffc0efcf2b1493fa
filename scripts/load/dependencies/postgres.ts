import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { command, giveToPostgres, isRoot, run } from '../../../test/support/servers/postgres-server.ts'
import { query } from '../../schema-engine/servers.ts'
import { freePort, startPart } from '../parts.ts'
import { restartable, type Dependency, type Fault } from './dependency.ts'

const DISK_MEGABYTES = 300
const DISK_FULL = '53100'
/** More than fit in the pages of the audit trail */
const FILLING_ROWS = 100_000
/** So that the write-ahead log fits on the small disk */
const WAL = ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB']
const ADDRESSES = ['-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1']

/**
 * Starts a PostgreSQL server in an empty folder. As root, its disk is a file system of 300 MB that can be filled. `npm run faults`
 * has mounts of its own, so this one ends with its processes, however they end.
 */
export async function openPostgres(folder: string): Promise<Dependency> {
  if (isRoot()) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder])
  const data = join(folder, 'data')
  mkdirSync(data)
  for (const path of [folder, data]) giveToPostgres(path)
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const port = await freePort()
  const [file = '', ...args] = command('postgres', ['-D', data, '-p', String(port), ...WAL, ...ADDRESSES])
  const program = await restartable(() => startPart(file, args, port))
  const url = `postgresql://postgres:secret@127.0.0.1:${port}/postgres`
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await query(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await query(url, 'SELECT pg_reload_conf()')
  }
  const faults = {
    ...program.faults,
    'read-only': { apply: () => setReadOnly('on'), repair: () => setReadOnly('off') },
    denied: denied(data, url),
    ...(isRoot() && { full: fullDisk(join(folder, 'ballast'), url) }),
  }
  return {
    name: 'PostgreSQL',
    variables: { DATABASE_URL: url },
    faults,
    async stop() {
      await program.stop()
      if (isRoot()) execFileSync('umount', [folder])
    },
  }
}

/** Changes the password of the service, and ends its connections. */
function denied(data: string, url: string): Fault {
  const path = join(data, 'pg_hba.conf')
  const usual = readFileSync(path)
  const other = url.replace('postgres:', 'operator:')
  return {
    async apply() {
      await query(url, 'CREATE ROLE operator SUPERUSER LOGIN')
      await query(url, "ALTER ROLE postgres PASSWORD 'other'")
      writeFileSync(path, `host all postgres 127.0.0.1/32 scram-sha-256\n${usual.toString()}`)
      await query(other, 'SELECT pg_reload_conf()')
      await query(other, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'")
    },
    async repair() {
      writeFileSync(path, usual)
      await query(other, 'SELECT pg_reload_conf()')
      await query(other, 'DROP ROLE operator').catch(() => undefined)
    },
  }
}

/** Fills the file system with a file, to the last block, and the space that is left in the pages of the audit trail. */
function fullDisk(path: string, url: string): Fault {
  return {
    async apply() {
      const { stderr } = spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=4096'], { encoding: 'utf8' })
      if (!stderr.includes('No space left')) throw new Error(`the disk of PostgreSQL cannot be filled: ${stderr}`)
      await fillAuditTrail(url)
    },
    repair: () => rmSync(path),
  }
}

/** Adds events until there is no space left. The failed statement leaves none of them, but their space is not free. */
async function fillAuditTrail(url: string): Promise<void> {
  try {
    await query(url, `INSERT INTO audit_events (event) SELECT 'login' FROM generate_series(1, ${FILLING_ROWS})`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === DISK_FULL) return
    throw error
  }
  throw new Error('the disk of PostgreSQL is not full')
}
