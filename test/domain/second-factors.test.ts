// The methods by which an account can prove its second factor.
import t from 'tap'
import { listMethods, type SecondFactors } from '../../src/domain/factors/second-factor.ts'

const none: SecondFactors = { totp: null, recoveryCodes: [], hasPasskey: false }

void t.test('lists the methods that an account has, the one to offer first in front', (t) => {
  const totp = { sealed: new Uint8Array(), lastStep: 0 }
  const recoveryCodes = [new Uint8Array(32)]
  t.same(listMethods(none), [])
  t.same(listMethods({ ...none, hasPasskey: true }), ['passkey'], 'all recovery codes are used')
  t.same(listMethods({ ...none, totp, recoveryCodes }), ['totp', 'recovery_code'])
  t.same(listMethods({ totp, recoveryCodes, hasPasskey: true }), ['passkey', 'totp', 'recovery_code'])
  t.end()
})
