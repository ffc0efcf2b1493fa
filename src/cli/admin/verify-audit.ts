import { verifyAuditTrail, type Finding } from '../../runtime/audit-seals/verify.ts'
import { CommandError } from '../program.ts'

/**
 * Verifies the audit trail and returns the message for the operator.
 *
 * @throws CommandError that names the first range that differs from its seal
 */
export async function verifyAudit(dependencies: Parameters<typeof verifyAuditTrail>[0]): Promise<string> {
  if (!dependencies.seals.sign) throw new CommandError(NO_KEY_MESSAGE)
  const { finding, seals, rows, removed, unsealed } = await verifyAuditTrail(dependencies)
  if (finding) {
    const description = describeFinding(finding, dependencies.auditDays)
    const count = seals === 1 ? '1 seal' : `${seals} seals`
    const intact = seals === 0 ? 'There are no earlier seals.' : `All earlier events are intact (${count}).`
    throw new CommandError(`The audit trail is not intact.\n${description}\n${intact}`)
  }
  const waiting = `${formatEventCount(unsealed.count)} ${unsealed.count === 1 ? 'is' : 'are'} not sealed yet.`
  if (unsealed.isLate) {
    throw new CommandError(`${seals === 0 ? 'There are no seals' : `All ${seals} seals match`}, but ${waiting}
The oldest of these events is older than a day, and the service seals events every 10 minutes. Either the service has not
run since, or seals were deleted. Start it, wait 15 minutes and try again. Compare with the lines audit_sealed in its log.`)
  }
  if (seals === 0) return `There are no seals yet. ${waiting}`
  return [
    `The audit trail is intact: ${seals} ${seals === 1 ? 'seal matches its' : 'seals match their'} ${formatEventCount(rows)}.`,
    ...(removed > 0 ? [`${formatEventCount(removed)} ${removed === 1 ? 'was' : 'were'} deleted by retention.`] : []),
    waiting,
  ].join('\n')
}

const NO_KEY_MESSAGE = `The key file has no audit_seals, so the audit trail is not sealed. Run npm run admin -- rotate-keys audit-seals and restart
the service.`

function describeFinding({ problem, seal, rows }: Finding, auditDays: number): string {
  const range = `events ${seal.fromId} to ${seal.toId} (seal ${seal.number}, the newest of ${seal.lastAt.toISOString()})`
  switch (problem) {
    case 'missing_seal':
      return `A seal is missing before seal ${seal.number}, which covers the ${range}.`
    case 'bad_signature':
      return `Seal ${seal.number} has an invalid signature: it was changed, or not created by the service. It covers the ${range}.`
    case 'unknown_key':
      return `Seal ${seal.number} was signed with the key ${seal.keyId}, which is not in the key file. If the key was removed, add it to
audit_seals again. Without it, the ${range} cannot be verified.`
    case 'missing_rows':
      return `Deleted: ${seal.rows - rows} of the ${seal.rows} ${range}. They are newer than AUDIT_RETENTION_DAYS (${auditDays} days). If this
value was smaller before, set it to the earlier value and try again.`
    case 'added_rows':
      return `Added: when the ${range} were sealed, there were ${seal.rows}. Now there are more.`
    case 'changed_rows':
      return `Changed: at least one of the ${range} differs from its seal.`
  }
}

function formatEventCount(count: number): string {
  return count === 1 ? '1 event' : `${count} events`
}
