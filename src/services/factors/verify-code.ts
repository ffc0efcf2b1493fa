import type { Context } from '../../context.ts'
import {
  listMethods,
  parseFactorCode,
  type FactorMethod,
  type FactorProof,
  type SecondFactors,
  type UnusedCode,
} from '../../domain/factors/second-factor.ts'

type Owner = Readonly<{ id: number; factors: SecondFactors | null }>

/**
 * Verifies the code that a request carries besides a right password. A code is used up only by the session that it proves.
 *
 * @throws Failure 503 `factors_unavailable` if the secret of the app cannot be decrypted
 */
export async function verifyCode(owner: Owner, text: string | undefined, context: Context): Promise<FactorProof> {
  if (!owner.factors) return 'not_required'
  if (text === undefined) return 'missing'
  return (await findUnusedCode(owner.id, owner.factors, text, context)) ?? 'wrong'
}

/** Returns the methods to offer to an owner whose request lacks a code. */
export function methodsOf({ factors }: Owner): FactorMethod[] {
  return factors ? listMethods(factors) : []
}

async function findUnusedCode(
  accountId: number,
  { totp, recoveryCodes }: SecondFactors,
  text: string,
  { totp: apps, recoveryCodes: { hash: hashCode }, clock }: Context,
): Promise<UnusedCode | undefined> {
  const given = parseFactorCode(text)
  if (given?.method === 'recovery_code') {
    const hash = hashCode(given.code)
    return recoveryCodes.some((each) => Buffer.from(hash).equals(each)) ? { method: 'recovery_code', hash } : undefined
  }
  if (!given || !totp) return undefined
  const step = await apps.findStep(given.code, totp.sealed, { accountId, nowMs: clock.nowMs() })
  return step !== undefined && step > totp.lastStep ? { method: 'totp', sealed: totp.sealed, step } : undefined
}
