import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Instance } from '../load/service.ts'
import type { History, Ledger } from '../load/operations.ts'
import { photoPathOf } from '../load/requests.ts'
import { sendPatiently } from '../load/send.ts'
import { query } from '../schema-engine/servers.ts'
import type { People } from './load.ts'

/** What a fault is observed in */
export type Setting = {
  databaseUrl: string
  instances: readonly Instance[]
  people: People
  folder: string
  rate: number
  seconds: number
}

/** Acknowledged writes that are not there afterwards */
export type Losses = { writes: number; acknowledged: number; sms: number; details: string[] }

const MAIL_WAIT_MS_MAX = 300_000
const LOOK_MS = 500

type ProfileData = { user: { name: string } }

/** Reads everything back that the service has acknowledged. */
export async function countLosses(
  ledger: Ledger,
  { instances, databaseUrl, people, folder }: Setting,
): Promise<Losses> {
  const [origin = ''] = instances.map((instance) => instance.origin)
  const details: string[] = []
  let acknowledged = 0
  for (const [key, history] of ledger.values) {
    const [kind, email] = key.split(' ')
    const { token = '' } = [...people.named, ...people.pictured].find((each) => each.email === email) ?? {}
    const { data } = await sendPatiently(origin, { path: '/api/v1/profile', token })
    const present = kind === 'name' ? (data as ProfileData).user.name : await readWidth(origin, photoPathOf(data))
    const lost = countLost(history, present)
    acknowledged += history.filter(({ isAcknowledged }) => isAcknowledged).length
    if (lost > 0) details.push(...Array<string>(lost).fill(`${kind}: found ${present ?? 'nothing'}`))
  }
  const sql = 'SELECT email FROM unnest($1::text[]) AS email EXCEPT SELECT email FROM accounts'
  const { rows: absent } = await query<{ email: string }>(databaseUrl, sql, [ledger.registration])
  details.push(...absent.map(({ email }) => `registration ${email}`))
  for (const token of ledger.session) {
    const { status } = await sendPatiently(origin, { path: '/api/v1/auth/check', token })
    if (status !== 200) details.push(`session: ${status}`)
  }
  acknowledged += ledger.registration.length + ledger.session.length
  const received = new Set(readInbox(folder, 'sms').map(({ to }) => to))
  const sms = ledger.sms.filter((phone) => !received.has(phone)).length
  return { writes: details.length, acknowledged, sms, details }
}

/**
 * Returns how many acknowledged values are lost: those that were sent after the one that is there now. A value that was
 * sent later than an acknowledged one may be there without acknowledgement, because its response was lost.
 */
function countLost(history: History, present: string | undefined): number {
  const at = history.findLastIndex(({ value }) => value === present)
  return history.slice(at + 1).filter(({ isAcknowledged }) => isAcknowledged).length
}

async function readWidth(origin: string, path: string): Promise<string | undefined> {
  const { status, bytes } = await sendPatiently(origin, { path })
  return status === 200 ? String((await sharp(bytes).metadata()).width) : undefined
}

type Message = { to?: string; reference?: string }

function readInbox(folder: string, kind: 'mail' | 'sms'): Message[] {
  const lines = readFileSync(join(folder, kind, 'inbox'), 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Message)
}

/** Waits until no e-mail waits to be sent. Returns for how long. */
export async function untilMailsAreSent(databaseUrl: string): Promise<number> {
  const startMs = Date.now()
  while ((await query(databaseUrl, 'SELECT 1 FROM mail_outbox WHERE next_attempt_at IS NOT NULL')).rows.length > 0) {
    if (Date.now() - startMs > MAIL_WAIT_MS_MAX) throw new Error('e-mails still wait')
    await sleep(LOOK_MS)
  }
  return Date.now() - startMs
}

/** Compares the ids of accepted requests with the inbox of the mail server. A repeated e-mail has the same Message-ID. */
export function countMails(ids: readonly string[], folder: string): Record<'accepted' | 'lost' | 'doubled', number> {
  const inbox = readInbox(folder, 'mail')
  const times = ids.map((id) => inbox.filter(({ reference }) => reference === id).length)
  return {
    accepted: ids.length,
    lost: times.filter((count) => count === 0).length,
    doubled: times.filter((count) => count > 1).length,
  }
}
