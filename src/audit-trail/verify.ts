import type { Seals } from '../adapters/seals.ts'
import type { AuditSeal } from '../domain/audit-seal.ts'
import type { Store } from '../store/index.ts'
import { NO_HASH } from './seal.ts'

type Parts = { store: Pick<Store, 'auditSeals'>; seals: Seals; auditDays: number }
type ListedSeal = AuditSeal & { isExpired: boolean }

/** What is wrong with a seal, or with the events that it covers. */
export type Finding = Readonly<{
  problem: 'missing_seal' | 'bad_signature' | 'unknown_key' | 'missing_rows' | 'added_rows' | 'changed_rows'
  seal: AuditSeal
  /** How many events there are now */
  rows: number
}>

export type Verified = Readonly<{
  /** The first one; everything before it is intact */
  finding: Finding | undefined
  seals: number
  rows: number
  /** Sealed events that retention has deleted */
  removed: number
  unsealed: { count: number; isLate: boolean }
}>

const SEALS_AT_ONCE = 100
/** The service seals events within minutes. */
const LATE_HOURS = 24

/** Compares the audit trail with its seals, from the first one on, until one differs. */
export async function verifyAuditTrail(parts: Parts): Promise<Verified> {
  const { store, auditDays } = parts
  const counts = { seals: 0, rows: 0, removed: 0 }
  let before: AuditSeal | undefined
  let finding: Finding | undefined
  let page: ListedSeal[]
  do {
    page = await store.auditSeals.list(before?.number ?? 0, SEALS_AT_ONCE, auditDays)
    for (const seal of page) {
      const { rows, problem } = await examine(seal, before, parts)
      if (problem) {
        finding = { problem, seal, rows }
        break
      }
      counts.seals++
      counts.rows += rows
      counts.removed += seal.rows - rows
      before = seal
    }
  } while (page.length === SEALS_AT_ONCE && !finding)
  const unsealed = await store.auditSeals.unsealed(before?.toId ?? 0n, LATE_HOURS)
  return { finding, ...counts, unsealed }
}

/** The chain is checked before the signature, and the events last: each presupposes what is checked before. */
async function examine(
  seal: ListedSeal,
  before: AuditSeal | undefined,
  { store, seals }: Parts,
): Promise<{ rows: number; problem: Finding['problem'] | undefined }> {
  if (seal.number !== (before?.number ?? 0) + 1) return { rows: 0, problem: 'missing_seal' }
  const signature = seals.verify(seal)
  if (signature !== 'good') return { rows: 0, problem: signature === 'bad' ? 'bad_signature' : 'unknown_key' }
  if (seal.fromId !== (before?.toId ?? 0n) + 1n) return { rows: 0, problem: 'missing_seal' }

  const events = await store.auditSeals.events(seal.fromId, seal.toId, seal.rows + 1)
  const rows = events.length
  if (rows > seal.rows) return { rows, problem: 'added_rows' }
  if (rows < seal.rows) return { rows, problem: seal.isExpired ? undefined : 'missing_rows' }
  const isIntact = seals.hashOf(before?.hash ?? NO_HASH, events) === seal.hash
  return { rows, problem: isIntact ? undefined : 'changed_rows' }
}
