import type { LockedOwnAccount } from '../accounts/lock-account.ts'
import type { ModelChange } from '../changes.ts'
import type { Client } from './begin.ts'

/** Creates a session in place of one that has ended. A new password does not prove a second factor again. */
export async function replaceEndedSession(
  { tx }: ModelChange,
  { accountId, factorsSince, now }: LockedOwnAccount,
  { address, userAgent, replacedId }: Client & { replacedId: string },
): Promise<string> {
  const replaced = await tx.session.findUniqueOrThrow({
    where: { id: replacedId },
    select: { firstId: true, authenticatedAt: true },
  })
  const authenticatedAt = factorsSince === null ? now : replaced.authenticatedAt
  const times = { createdAt: now, refreshedAt: now, authenticatedAt }
  const data = { accountId, address, userAgent: userAgent ?? null, firstId: replaced.firstId ?? replacedId, ...times }
  return (await tx.session.create({ data, select: { id: true } })).id
}
