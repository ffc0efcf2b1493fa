import type { Context } from '../../context.ts'
import type { AnyCall, Body } from '../../contract/operation.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import { isStrongest, missingProof, type ChangeProof } from '../../domain/factors/proof-order.ts'
import { parseFactorCode } from '../../domain/factors/second-factor.ts'
import { invalidData } from '../../domain/failure.ts'
import { verifyPassword } from '../password/verify-password.ts'
import { REAUTHENTICATION_EVENTS as events } from '../sessions/reauthentication-events.ts'
import { toProofRecords } from './notify.ts'
import { verifyOwnPasskey } from './passkeys.ts'

type Members = Body<'removeTotp'>
type OwnCall = AnyCall & { bearer: Bearer; body: Members }
type GivenProof = Parameters<Context['store']['factors']['prove']>[1]

/** A proof that a request has, before it is verified */
type Given =
  | Readonly<{ method: 'password'; password: string }>
  | Readonly<{ method: 'totp' | 'recovery_code'; code: string }>
  | Readonly<{ method: 'passkey'; credential: NonNullable<Members['credential']> }>

/**
 * Verifies the proof in a request that changes the second factors: an established factor if the account has one, else the
 * password. A wrong one is counted and recorded like that of a reauthentication. A right one is used up by the change, which
 * checks it again under the lock of the account.
 *
 * @throws Failure 401 `token_revoked`, 403 `mfa_required`, 422 on the proof, 429 `rate_limited`
 */
export async function proveChange(call: OwnCall, context: Context): Promise<GivenProof> {
  const factors = await context.store.factors.datedFactors(call.bearer)
  const given = listGiven(call.body).find((each) => isStrongest(each, factors))
  if (!given) throw missingProof(factors)
  const { email, proof } = await verify(given, call, context)
  return { proof, ...toProofRecords(proof, { accountId: call.bearer.accountId, email }, call, context) }
}

function listGiven({ password, code, credential }: Members): Given[] {
  const parsed = code === undefined ? undefined : parseFactorCode(code)
  const methods = parsed ? [parsed.method] : (['totp', 'recovery_code'] as const) // a mistyped code may be either
  return [
    ...(credential === undefined ? [] : [{ method: 'passkey', credential } as const]),
    ...(code === undefined ? [] : methods.map((method) => ({ method, code }))),
    ...(password === undefined ? [] : [{ method: 'password', password } as const]),
  ]
}

async function verify(
  given: Given,
  call: OwnCall,
  context: Context,
): Promise<Readonly<{ email: string; proof: ChangeProof }>> {
  if (given.method === 'passkey') {
    const { account, proof } = await verifyOwnPasskey(given.credential, call, context)
    return { email: account.email, proof }
  }
  if (given.method === 'password') {
    const { password } = given
    const { account, proof } = await verifyPassword(call, { password, events }, context)
    if (proof === 'password_wrong') throw invalidData({ password: ['password_wrong'] })
    return { email: account.email, proof: { method: 'password', passwordHash: account.passwordHash } }
  }
  const { account, proof } = await verifyPassword(call, { password: null, factor: given, events }, context)
  if (typeof proof === 'string') throw invalidData({ code: ['code_wrong'] }) // wrong, or the factors have ended meanwhile
  return { email: account.email, proof }
}
