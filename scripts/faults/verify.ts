import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Instance } from '../load/service.ts'
import { countLost, type Ledger } from '../load/ledger.ts'
import { photoPathOf } from '../load/people.ts'
import { sendPatiently } from '../load/send.ts'
import { query } from '../schema-engine/servers.ts'
import type { People } from './people.ts'

/** What a fault is observed in */
export type Setting = {
  databaseUrl: string
  instances: readonly Instance[]
  people: People
  folder: string
  rate: number
}

/** Acknowledged writes that are not there afterwards */
export type Losses = { writes: number; acknowledged: number; sms: number; details: string[] }

const MAIL_WAIT_MS_MAX = 300_000
const LOOK_MS = 500

type ProfileUser = { user: { name: string } }

/** Reads everything back that the service has acknowledged. */
export async function countLosses(
  ledger: Ledger,
  { instances, databaseUrl, people, folder }: Setting,
): Promise<Losses> {
  const [origin = ''] = instances.map((instance) => instance.origin)
  const details: string[] = []
  let acknowledged = 0
  for (const [key, history] of ledger.values()) {
    const [kind, email] = key.split(' ')
    const { token = '' } = [...people.named, ...people.pictured].find((each) => each.email === email) ?? {}
    const present = kind === 'name' ? await readName(origin, token) : await readWidth(origin, token)
    const lost = countLost(history, present)
    acknowledged += history.filter(({ isAcknowledged }) => isAcknowledged).length
    if (lost > 0) details.push(...Array<string>(lost).fill(`${kind}: found ${present ?? 'nothing'}`))
  }
  const registered = ledger.things('registration')
  const sql = 'SELECT email FROM accounts WHERE email = ANY ($1)'
  const { rows } = await query<{ email: string }>(databaseUrl, sql, [registered])
  const present = new Set(rows.map(({ email }) => email))
  details.push(...registered.filter((email) => !present.has(email)).map((email) => `registration ${email}`))
  for (const token of ledger.things('session')) {
    const { status } = await sendPatiently(origin, { path: '/api/v1/auth/check', token })
    if (status !== 200) details.push(`session: ${status}`)
  }
  acknowledged += registered.length + ledger.things('session').length
  const received = new Set(readInbox(folder, 'sms').map(({ to }) => to))
  const sms = ledger.things('sms').filter((phone) => !received.has(phone)).length
  return { writes: details.length, acknowledged, sms, details }
}

async function readName(origin: string, token: string): Promise<string> {
  const { data } = await sendPatiently(origin, { path: '/api/v1/profile', token })
  return (data as ProfileUser).user.name
}

async function readWidth(origin: string, token: string): Promise<string | undefined> {
  const { data } = await sendPatiently(origin, { path: '/api/v1/profile', token })
  const { status, bytes } = await sendPatiently(origin, { path: photoPathOf(data) })
  return status === 200 ? String((await sharp(bytes).metadata()).width) : undefined
}

type Message = { to?: string; reference?: string; messageId?: string }

function readInbox(folder: string, kind: 'mail' | 'sms'): Message[] {
  const lines = readFileSync(join(folder, kind, 'inbox'), 'utf8').split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Message)
}

export type MailCounts = { accepted: number; lost: number; doubled: number }

/** Waits until no e-mail waits to be sent. Returns for how long. */
export async function untilMailsAreSent(databaseUrl: string): Promise<number> {
  const startMs = Date.now()
  while ((await query(databaseUrl, 'SELECT 1 FROM mail_outbox WHERE next_attempt_at IS NOT NULL')).rows.length > 0) {
    if (Date.now() - startMs > MAIL_WAIT_MS_MAX) throw new Error('e-mails still wait')
    await sleep(LOOK_MS)
  }
  return Date.now() - startMs
}

/** Compares the accepted requests with the inbox of the mail server. A repeated e-mail has the same Message-ID. */
export function countMails(references: readonly string[], folder: string): MailCounts {
  const counts = new Map<string, number>()
  for (const { reference = '' } of readInbox(folder, 'mail')) counts.set(reference, (counts.get(reference) ?? 0) + 1)
  const times = references.map((reference) => counts.get(reference) ?? 0)
  return {
    accepted: references.length,
    lost: times.filter((count) => count === 0).length,
    doubled: times.filter((count) => count > 1).length,
  }
}
