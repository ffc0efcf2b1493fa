import { verifyAuditTrail, type Finding } from '../audit-trail/verify.ts'
import { Impossible } from './errors.ts'

/**
 * Verifies the audit trail and returns the message for the operator.
 *
 * @throws Impossible that names the first range that is not as it was sealed
 */
export async function verifyAudit(parts: Parameters<typeof verifyAuditTrail>[0]): Promise<string> {
  if (!parts.seals.sign) throw new Impossible(NO_KEY)
  const { finding, seals, rows, removed, unsealed } = await verifyAuditTrail(parts)
  if (finding)
    throw new Impossible(`The audit trail is not intact.\n${complaint(finding, parts.auditDays)}\n${restOf(seals)}`)
  const waiting = `${events(unsealed.count)} ${unsealed.count === 1 ? 'is' : 'are'} not sealed yet.`
  if (unsealed.isLate) {
    throw new Impossible(`${seals === 0 ? 'There are no seals' : `The ${seals} seals that there are match`}, but ${waiting}
The oldest of them is older than a day, and the service seals events every 10 minutes. Either it has not run since, or
seals were deleted. Start the service, wait for 15 minutes and try again; compare with the lines audit_sealed of its log.`)
  }
  if (seals === 0) return `Nothing is sealed yet: ${waiting}`
  return [
    `The audit trail is intact: ${seals} ${seals === 1 ? 'seal matches its' : 'seals match their'} ${events(rows)}.`,
    ...(removed > 0 ? [`${events(removed)} ${removed === 1 ? 'was' : 'were'} deleted by retention.`] : []),
    waiting,
  ].join('\n')
}

const NO_KEY = `There is no key for seals, so the audit trail is not sealed. Run npm run admin -- rotate-keys audit-seals, and restart the
service.`

function complaint({ problem, seal, rows }: Finding, auditDays: number): string {
  const range = `events ${seal.fromId} to ${seal.toId} (seal ${seal.number}, the newest of ${seal.lastAt.toISOString()})`
  switch (problem) {
    case 'missing_seal':
      return `A seal is missing before seal ${seal.number}, which covers the ${range}.`
    case 'bad_signature':
      return `Seal ${seal.number} was changed or was not made by the service: its signature is wrong. It covers the ${range}.`
    case 'unknown_key':
      return `Seal ${seal.number} was signed with the key ${seal.keyId}, which is not in the key file. Add the key to audit_seals again, if it was
removed. Without it, the ${range} cannot be verified.`
    case 'missing_rows':
      return `Deleted: ${seal.rows - rows} of the ${seal.rows} ${range}. They are newer than AUDIT_RETENTION_DAYS (${auditDays} days). If it was
shorter before, set it to that number and try again.`
    case 'added_rows':
      return `Added: the ${range} were ${seal.rows} when they were sealed, and there are more now.`
    case 'changed_rows':
      return `Changed: at least one of the ${range} is not as it was sealed.`
  }
}

function restOf(seals: number): string {
  return seals === 0
    ? 'Nothing before it is sealed.'
    : `What is before it is intact (${seals} ${seals === 1 ? 'seal' : 'seals'}).`
}

function events(count: number): string {
  return count === 1 ? '1 event' : `${count} events`
}
