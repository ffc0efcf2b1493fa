import { fileURLToPath } from 'node:url'
import { connectTo, createScratchDatabase, readerOfDatabaseUse } from '../load/database.ts'
import { at127, cpuMicros, freePort, startPart } from '../load/parts.ts'
import type { Sent } from '../load/send.ts'
import type { Session } from '../load/session.ts'
import { sendWrites, UPLOADS, withPhoto } from './works.ts'
import { CONNECTIONS, sendRound, writeRequests } from './wrk.ts'

/**
 * A route that requests are compared with: one that returns a constant of 142 bytes, those of `node:http` and pg with one
 * prepared statement, and one that stores an image of a form.
 */
export const BASES = ['constant', 'select', 'update', 'upload'] as const
export type Base = (typeof BASES)[number]

/** The base routes read no token. */
const ANYONE = Array.from({ length: CONNECTIONS }, (_, at) => {
  const phone = `0100000${1000 + at}`
  return { email: `base-${at}@example.org`, phone, token: 'none', refreshToken: 'none' }
})

/** Starts the base routes. Returns a function that measures the CPU time of a request, with that of PostgreSQL. */
export async function startBase(session: Session, serverUrl: string): Promise<(base: Base) => Promise<number>> {
  const { folder, onEnd } = session
  const [port, uploadPort] = [await freePort(), await freePort()]
  const url = await createScratchDatabase(session, serverUrl)
  const ports = { PORT: String(port), UPLOAD_PORT: String(uploadPort) }
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', DATA_DIR: folder, DATABASE_URL: url, ...ports }
  const script = fileURLToPath(new URL('base.js', import.meta.url))
  const part = await startPart(process.execPath, [script], uploadPort, { env })
  onEnd(() => part.stop())
  const readDatabaseUse = readerOfDatabaseUse(await connectTo(session, url))
  const load = async (sent: Sent): Promise<() => Promise<number>> => {
    const file = await writeRequests(folder, `base ${sent.path}`, at127(port), [sent])
    return async () => (await sendRound(at127(port), file)).requests
  }
  const photo = await withPhoto()
  const loads: Record<Base, () => Promise<number>> = {
    constant: await load({ path: '/constant' }),
    select: await load({ path: '/select' }),
    update: await load({ path: '/update', method: 'PUT', json: { name: 'نوف الشهري' } }),
    upload: () => sendWrites(at127(uploadPort), ANYONE, (account) => ({ ...photo(account), path: '/upload' }), UPLOADS),
  }
  const read = async (): Promise<number> => cpuMicros(part.pid) + (await readDatabaseUse()).databaseMicros
  return async (base) => {
    const before = await read()
    const requests = await loads[base]()
    return ((await read()) - before) / requests
  }
}
