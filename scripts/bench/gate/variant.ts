// A version of the service that is measured: as in production, on a database and a Redis of its own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { newKeys } from '../../../src/adapters/keys/index.ts'
import { findMain } from '../../rolling-restart/instance.ts'
import { cpuMicros, freePort, startPart, startRedis } from '../../scale/parts.ts'
import { createScratchDatabase } from '../database.ts'
import { smallPhoto } from '../images.ts'
import { newAccount, newProfile, type Account } from '../requests.ts'
import { SMS_BUDGETS } from '../sms-budgets.ts'

export type Use = {
  /** CPU time of the process, with its threads */
  processMicros: number
  /** CPU time of its main thread, which no hash of a password uses */
  mainMicros: number
  /** CPU time of its connections to PostgreSQL */
  databaseMicros: number
  /** Write-ahead log of the whole server, on which nothing else may write */
  walBytes: number
}

export type Variant = {
  name: string
  origin: string
  clients: readonly Account[]
  lawyers: readonly Account[]
  /** Accounts that log in, which ends their earlier sessions */
  visitors: readonly Account[]
  readUse(): Promise<Use>
  /** Writes all changed pages, so that the next changes write them whole for both versions. */
  checkpoint(): Promise<void>
  stop(): Promise<void>
}

/** Connections of a load; each has an account and a token of its own. */
export const CONNECTIONS = 16

/** Starts a version that is built in a directory, with accounts whose profiles are complete. */
export async function startVariant(name: string, directory: string, serverUrl: string): Promise<Variant> {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-gate-'))
  const database = await createScratchDatabase(serverUrl)
  const [redisPort, port, sms] = [await freePort(), await freePort(), await startSmsReceiver()]
  const redis = await startRedis(redisPort)
  const { PATH = '' } = process.env
  const service = await startPart(process.execPath, [findMain(directory)], port, {
    PATH,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: '0',
    KEYS: newKeys(),
    DATA_DIR: folder,
    FILES_DIR: join(folder, 'files'),
    DATABASE_URL: database.url,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    TRUST_PROXY: '127.0.0.1',
    BCRYPT_COST: '10',
    SMS_PROVIDERS: 'webhook',
    SMS_WEBHOOK_URL: sms.url,
    ALLOW_INSECURE_URLS: 'SMS_WEBHOOK_URL',
    SMS_COUNTRIES: '20',
    ...SMS_BUDGETS,
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const origin = `http://127.0.0.1:${port}`
  const many = (create: () => Promise<Account>): Promise<Account[]> =>
    Promise.all(Array.from({ length: CONNECTIONS }, create))
  const files = await identityFiles()
  return {
    name,
    origin,
    clients: await many(() => newProfile(origin, 'client')),
    lawyers: await many(() => newProfile(origin, 'lawyer', files)),
    visitors: await many(() => newAccount(origin)),
    async readUse() {
      const database = await readDatabase(client)
      return { processMicros: cpuMicros(service.pid), mainMicros: readThread(service.pid, service.pid), ...database }
    },
    async checkpoint() {
      await client.query('CHECKPOINT')
    },
    async stop() {
      await client.end()
      await service.stop()
      await redis.stop()
      sms.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The files of a complete profile of a lawyer */
async function identityFiles(): Promise<object> {
  const image = new Blob([new Uint8Array(await smallPhoto())], { type: 'image/jpeg' })
  return { national_id_image: image, degree_certificate: image }
}

/** Accepts every message. */
async function startSmsReceiver(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close().closeAllConnections() }
}

/** Returns the time of a thread on the processors, from schedstat (proc(5)), which has nanoseconds. */
function readThread(pid: number, thread: number | string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1000
}

/** Returns the time of the threads of a process of which none ends. */
export function readThreads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readThread(pid, thread), 0)
}

async function readDatabase(client: pg.Client): Promise<Pick<Use, 'databaseMicros' | 'walBytes'>> {
  const { rows } = await client.query<{ pids: number[]; wal: string }>(
    `SELECT array(SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND backend_type = 'client backend') AS pids, pg_current_wal_insert_lsn() - '0/0' AS wal`,
  )
  const [{ pids, wal } = { pids: [], wal: '0' }] = rows
  const databaseMicros = pids.reduce((sum, pid) => sum + readThread(pid, pid), 0)
  return { databaseMicros, walBytes: Number(wal) }
}
