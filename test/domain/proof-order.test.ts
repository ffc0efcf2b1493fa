import t from 'tap'
import { isStillStrongest, isStrongest, missingProof, type DatedFactors } from '../../src/domain/factors/proof-order.ts'

const now = new Date('2026-11-28T12:00:00.000Z')
const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)]
const NONE: DatedFactors = { totp: null, recoveryCodes: null, passkeys: [], now }
const PROOFS = {
  password: { method: 'password' },
  app: { method: 'totp' },
  recoveryCode: { method: 'recovery_code' },
  passkey: { method: 'passkey' },
  one: { method: 'passkey', passkeyId: 'one' },
  other: { method: 'passkey', passkeyId: 'other' },
} as const

function accepted(factors: DatedFactors): string[] {
  return Object.keys(PROOFS).filter((name) => isStrongest(PROOFS[name as keyof typeof PROOFS], factors))
}

void t.test('accepts the password until a factor is established, and no younger factor', (t) => {
  const passkeys = [{ id: 'one', establishedAt: after }]
  t.same(accepted(NONE), ['password'])
  t.same(accepted({ totp: after, recoveryCodes: after, passkeys, now }), ['password'])
  t.same(accepted({ ...NONE, passkeys: [{ id: 'one', establishedAt: null }] }), ['password'])
  t.match(missingProof({ ...NONE, totp: after }), { code: 'invalid_data', fields: { password: ['required'] } })
  t.end()
})

void t.test('accepts only established factors as soon as there is one', (t) => {
  t.same(accepted({ ...NONE, totp: now, recoveryCodes: after }), ['app'])
  t.same(accepted({ ...NONE, totp: after, recoveryCodes: before }), ['recoveryCode'])
  const passkeys = [
    { id: 'one', establishedAt: before },
    { id: 'other', establishedAt: after },
  ]
  t.same(accepted({ ...NONE, totp: after, passkeys }), ['passkey', 'one'])
  t.same(accepted({ ...NONE, totp: before, recoveryCodes: before, passkeys }), [
    'app',
    'recoveryCode',
    'passkey',
    'one',
  ])
  t.match(missingProof({ ...NONE, totp: before, passkeys }), { code: 'mfa_required' })
  t.same(missingProof({ ...NONE, totp: before, passkeys }).factorMethods, ['passkey', 'totp'])
  t.end()
})

void t.test('accepts an addition that the password has begun until a factor is established', (t) => {
  t.equal(isStillStrongest({ byFactor: false }, { ...NONE, totp: after }), true)
  t.equal(isStillStrongest({ byFactor: false }, { ...NONE, totp: now }), false)
  t.equal(isStillStrongest({ byFactor: true }, { ...NONE, totp: now }), true)
  t.end()
})
