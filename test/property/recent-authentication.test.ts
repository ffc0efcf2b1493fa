// Which changes of a profile require recent authentication.
import fc from 'fast-check'
import t from 'tap'
import { changedIdentity } from '../../src/domain/sessions/recent-authentication.ts'

const EMAILS = ['a@example.org', 'b@example.org', 'c@example.org'] as const
const PHONES = ['+966500000001', '+966500000002'] as const

const stored = fc.record({
  email: fc.constantFrom(...EMAILS),
  pendingEmail: fc.constantFrom(...EMAILS, null),
  phone: fc.constantFrom(...PHONES),
})
const given = fc.record({
  email: fc.constantFrom(...EMAILS, undefined),
  phone: fc.constantFrom(...PHONES, undefined),
  password: fc.constantFrom('battery horse staple', undefined),
})

void t.test('lists an e-mail address that is neither the current nor the pending one', async (t) => {
  fc.assert(
    fc.property(given, stored, (given, stored) => {
      const isKnown = [undefined, stored.email, stored.pendingEmail].includes(given.email)
      return changedIdentity(given, stored).includes('email') === !isKnown
    }),
  )
  t.pass()
})

void t.test('lists a phone number that is not the current one, and every password', async (t) => {
  fc.assert(
    fc.property(given, stored, (given, stored) => {
      const changed = changedIdentity(given, stored)
      const hasNewPhone = given.phone !== undefined && given.phone !== stored.phone
      return (
        changed.includes('phone') === hasNewPhone && changed.includes('password') === (given.password !== undefined)
      )
    }),
  )
  t.pass()
})
