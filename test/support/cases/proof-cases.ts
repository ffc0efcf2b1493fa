// Contract cases of the operations that require a proof of a change of the second factors.
import { storePasskey, UNKNOWN } from '../accounts/authenticator.ts'
import { establish, protectedPerson, type Protected } from '../accounts/second-factors.ts'
import { PASSWORD, type World } from '../service/world.ts'
import type { Case, Cases } from './contract.ts'

type Path = { path?: { passkey_id: string } }

/**
 * Returns the cases.
 *
 * @param pathOf the path of a request that would succeed
 */
export function proofCases(pathOf: (world: World, owner: Protected) => Promise<Path> = () => Promise.resolve({})): {
  403: Cases
  422: Cases
} {
  /** Sends the proofs of an owner, who has an app and a passkey. */
  const withProofs =
    (isEstablished: boolean, proofsOf: (owner: Protected) => object[], codes: object | undefined): Case =>
    async (send, world, t) => {
      const owner = await protectedPerson(world)
      await storePasskey(world, owner.person)
      if (isEstablished) await establish(world, owner.person)
      const path = await pathOf(world, owner)
      let received = await send({ ...path, token: owner.token, json: {} })
      for (const json of proofsOf(owner)) {
        received = await send({ ...path, token: owner.token, json })
        if (codes) t.same(received.body.data.codes, codes, JSON.stringify(json))
        else t.equal(received.headers['mfa-methods'], 'passkey, totp, recovery_code', JSON.stringify(json))
      }
      const { body } = await world.send('getFactors')({ token: owner.token })
      t.match(body.data, { passkeys: [{}], totp_added_at: String, recovery_codes_left: 10 }, 'nothing has changed')
      return received
    }
  return {
    403: {
      'requires an established second factor, not the password': withProofs(
        true,
        () => [{}, { password: PASSWORD }],
        undefined,
      ),
    },
    422: {
      'requires the password of an account without an established second factor': withProofs(
        false,
        ({ nextCode, recoveryCodes }) => [
          {},
          { code: nextCode() },
          { code: recoveryCodes[0] },
          { credential: UNKNOWN },
        ],
        { password: ['required'] },
      ),
      'rejects a wrong password': withProofs(false, () => [{ password: 'olive3kayak' }], {
        password: ['password_wrong'],
      }),
      'rejects a wrong code': withProofs(true, () => [{ code: '0' }, { code: 'A'.repeat(24) }], {
        code: ['code_wrong'],
      }),
      'rejects a wrong passkey': withProofs(true, () => [{ credential: UNKNOWN }], { credential: ['passkey_wrong'] }),
    },
  }
}
