// What of an identifier remains in logs, notices and the audit trail.
import t from 'tap'
import { maskAddress, maskEmail, maskPhone } from '../../src/domain/text.ts'

void t.test('masks an e-mail address to its first character and its domain', (t) => {
  t.equal(maskEmail('client@demo.test'), 'c***@demo.test')
  t.equal(maskEmail('x@demo.test'), 'x***@demo.test')
  t.equal(maskEmail('😀smile@demo.test'), '😀***@demo.test', 'a character of two code units')
  t.equal(maskEmail('"a@b"@demo.test'), '"***@demo.test', 'an @ in the local part')
  t.end()
})

void t.test('does not mask an e-mail address to more than its column holds', (t) => {
  const longest = `x@${'d'.repeat(252)}`
  t.equal(longest.length, 254)
  t.equal(maskEmail(longest), `x***@${'d'.repeat(249)}`)
  t.end()
})

void t.test('masks a phone number to its first three digits and its last three', (t) => {
  t.equal(maskPhone('+966512345678'), '+966***678')
  t.equal(maskPhone('+14155552671'), '+141***671')
  t.end()
})

void t.test('masks IPv4 addresses to their /24 and IPv6 addresses to their /48', (t) => {
  t.equal(maskAddress('203.0.113.77'), '203.0.113.*')
  t.equal(maskAddress('2001:db8:12:34:5:6:7:8'), '2001:db8:12:*')
  t.equal(maskAddress('2001:db8::1'), '2001:db8:*')
  t.end()
})
