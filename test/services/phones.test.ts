// The phone number of a form that may be incomplete or invalid.
import t from 'tap'
import { phoneNumbers } from '../../src/adapters/sms/phone-numbers.ts'
import { readPhone } from '../../src/contract/phone-fields.ts'
import { requirePhone } from '../../src/services/phone/read-phone.ts'

const context = { phoneNumbers: phoneNumbers() }

void t.test('parses a phone number if the form has both of its fields, and its calling code alone', (t) => {
  const form = { phone: '0512345678', phone_code: '966' }
  const phone = { e164: '+966512345678', callingCode: '966' }
  t.same(readPhone(form, context), { phone, failures: {} })
  t.same(readPhone({ phone: form.phone }, context), { failures: {} })
  t.same(readPhone({ phone_code: form.phone_code }, context), { failures: {} })
  t.same(readPhone({ phone_code: '999' }, context), { failures: { phone_code: ['phone_code_unknown'] } })
  t.end()
})

void t.test('rejects a form without a valid number, with the fields at fault', (t) => {
  const invalid = readPhone({ phone: '12', phone_code: '966' }, context)
  t.match(invalid, { phone: undefined, failures: { phone: ['phone_invalid'] } })
  t.throws(() => requirePhone(invalid), { code: 'invalid_data', fields: invalid.failures })
  t.throws(() => requirePhone({ failures: {} }), { code: 'invalid_data', fields: { phone: ['required'] } })
  t.equal(requirePhone(readPhone({ phone: '0512345678', phone_code: '966' }, context)).e164, '+966512345678')
  t.end()
})
