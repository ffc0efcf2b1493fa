import type { Seals } from '../../adapters/keys/audit-seals.ts'
import type { AuditSeal } from '../../domain/audit/audit-seal.ts'
import type { Store } from '../../store/index.ts'
import { NO_HASH } from './seal.ts'

type Dependencies = { store: Pick<Store, 'auditSeals'>; seals: Seals; auditDays: number }
type ListedSeal = AuditSeal & { isExpired: boolean }

/** A difference between the audit trail and a seal. */
export type Finding = Readonly<{
  problem: 'missing_seal' | 'bad_signature' | 'unknown_key' | 'missing_rows' | 'added_rows' | 'changed_rows'
  seal: AuditSeal
  /** The current number of events in the range */
  rows: number
}>

export type Verification = Readonly<{
  /** The first difference; everything before it is intact */
  finding: Finding | undefined
  seals: number
  rows: number
  /** Sealed events that retention has deleted */
  removed: number
  unsealed: { count: number; isLate: boolean }
}>

const PAGE_SEALS = 100
/** The service seals events within minutes, so unsealed events of this age are suspicious */
const LATE_HOURS = 24

/** Compares the audit trail with its seals, in order, until one differs. */
export async function verifyAuditTrail(dependencies: Dependencies): Promise<Verification> {
  const { store, auditDays } = dependencies
  const counts = { seals: 0, rows: 0, removed: 0 }
  let before: AuditSeal | undefined
  let finding: Finding | undefined
  let page: ListedSeal[]
  do {
    page = await store.auditSeals.list(before?.number ?? 0, PAGE_SEALS, auditDays)
    for (const seal of page) {
      const { rows, problem } = await examineSeal(seal, before, dependencies)
      if (problem) {
        finding = { problem, seal, rows }
        break
      }
      counts.seals++
      counts.rows += rows
      counts.removed += seal.rows - rows
      before = seal
    }
  } while (page.length === PAGE_SEALS && !finding)
  const unsealed = await store.auditSeals.unsealed(before?.toId ?? 0n, LATE_HOURS)
  return { finding, ...counts, unsealed }
}

/** Checks the chain, then the signature, then the events: each check relies on the previous ones. */
async function examineSeal(
  seal: ListedSeal,
  before: AuditSeal | undefined,
  { store, seals }: Dependencies,
): Promise<{ rows: number; problem: Problem | undefined }> {
  const problem = problemOfSeal(seal, before, seals)
  if (problem) return { rows: 0, problem }

  const events = await store.auditSeals.events(seal.fromId, seal.toId, seal.rows + 1)
  const rows = events.length
  if (rows > seal.rows) return { rows, problem: 'added_rows' }
  if (rows < seal.rows) return { rows, problem: seal.isExpired ? undefined : 'missing_rows' }
  const isIntact = seals.hash(before?.hash ?? NO_HASH, events) === seal.hash
  return { rows, problem: isIntact ? undefined : 'changed_rows' }
}

type Problem = Finding['problem']

function problemOfSeal(seal: ListedSeal, before: AuditSeal | undefined, seals: Seals): Problem | undefined {
  const { number, toId } = before ?? { number: 0, toId: 0n }
  if (seal.number !== number + 1) return 'missing_seal'
  const signature = seals.verify(seal)
  if (signature !== 'good') return signature === 'bad' ? 'bad_signature' : 'unknown_key'
  return seal.fromId === toId + 1n ? undefined : 'missing_seal'
}
