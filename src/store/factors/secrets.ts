import type { SecondFactors } from '../../../generated/prisma/client.ts'
import type { StoreParts } from '../changes.ts'

/** The encrypted secrets of authenticator apps, for the rotation of their keys. */
export type FactorSecrets = {
  /** Returns the secrets of the next accounts after an id, in the order of the ids; empty after the last one. */
  secretsAfter(accountId: number): Promise<FactorSecret[]>
  /** Replaces a secret, unless it has changed. Returns whether it was replaced. */
  replaceSecret(secret: FactorSecret, sealed: Uint8Array<ArrayBuffer>): Promise<boolean>
}

export type FactorSecret = Readonly<{ accountId: number; state: 'in use' | 'pending'; sealed: Uint8Array<ArrayBuffer> }>

type Row = Pick<SecondFactors, 'accountId' | 'totpSecret' | 'totpPending'>

const AT_ONCE = 500

export function factorSecrets({ prisma: { secondFactors } }: StoreParts): FactorSecrets {
  return {
    async secretsAfter(last) {
      const rows = await secondFactors.findMany({
        where: { accountId: { gt: last }, OR: [{ totpSecret: { not: null } }, { totpPending: { not: null } }] },
        select: { accountId: true, totpSecret: true, totpPending: true },
        orderBy: { accountId: 'asc' },
        take: AT_ONCE,
      })
      return rows.flatMap(toSecrets)
    },
    async replaceSecret({ accountId, state, sealed: before }, sealed) {
      const field = state === 'in use' ? 'totpSecret' : 'totpPending'
      const replaced = { where: { accountId, [field]: before }, data: { [field]: sealed } }
      return (await secondFactors.updateMany(replaced)).count === 1
    },
  }
}

function toSecrets({ accountId, totpSecret, totpPending }: Row): FactorSecret[] {
  return [
    ...(totpSecret ? [{ accountId, state: 'in use', sealed: totpSecret } as const] : []),
    ...(totpPending ? [{ accountId, state: 'pending', sealed: totpPending } as const] : []),
  ]
}
