import type { StoreParts } from '../changes.ts'

/** The encrypted secrets of authenticator apps, for the rotation of their keys. */
export type FactorSecrets = {
  /** Returns the secrets of the next accounts after an id, in the order of the ids; empty after the last one. */
  secretsAfter(accountId: number): Promise<FactorSecret[]>
  /** Replaces a secret, unless it has changed. Returns whether it was replaced. */
  replaceSecret(secret: FactorSecret, sealed: Uint8Array<ArrayBuffer>): Promise<boolean>
}

/** `removed`: an undo can restore it */
export type FactorSecret = Readonly<{
  accountId: number
  state: 'in use' | 'pending' | 'removed'
  sealed: Uint8Array<ArrayBuffer>
}>

const AT_ONCE = 500
const STORED = { not: null }

export function factorSecrets({ prisma: { account, secondFactors, emailToken } }: StoreParts): FactorSecrets {
  return {
    async secretsAfter(last) {
      const hasOwn = { secondFactors: { OR: [{ totpSecret: STORED }, { totpPending: STORED }] } }
      const rows = await account.findMany({
        where: { id: { gt: last }, OR: [hasOwn, { emailTokens: { some: { totpSecret: STORED } } }] },
        select: {
          id: true,
          secondFactors: { select: { totpSecret: true, totpPending: true } },
          emailTokens: { where: { totpSecret: STORED }, select: { totpSecret: true } },
        },
        orderBy: { id: 'asc' },
        take: AT_ONCE,
      })
      return rows.flatMap(({ id: accountId, secondFactors: own, emailTokens }) => {
        const removed = emailTokens.map(({ totpSecret }) => toSecret(accountId, 'removed', totpSecret))
        const [inUse, pending] = [own?.totpSecret ?? null, own?.totpPending ?? null]
        return [toSecret(accountId, 'in use', inUse), toSecret(accountId, 'pending', pending), ...removed].flat()
      })
    },
    async replaceSecret({ accountId, state, sealed: before }, sealed) {
      if (state === 'removed') {
        const replaced = { where: { accountId, totpSecret: before }, data: { totpSecret: sealed } }
        return (await emailToken.updateMany(replaced)).count > 0
      }
      const field = state === 'in use' ? 'totpSecret' : 'totpPending'
      const replaced = { where: { accountId, [field]: before }, data: { [field]: sealed } }
      return (await secondFactors.updateMany(replaced)).count === 1
    },
  }
}

function toSecret(
  accountId: number,
  state: FactorSecret['state'],
  sealed: FactorSecret['sealed'] | null,
): FactorSecret[] {
  return sealed ? [{ accountId, state, sealed }] : []
}
