// Events of a changed contact, searches of administrators, and released addresses.
import t from 'tap'
import { classifySearch, parseUserSearch } from '../../src/domain/accounts/administration.ts'
import { buildContactEvents, type ContactChange } from '../../src/domain/accounts/account.ts'
import { NOT_OPENED } from '../../src/domain/accounts/undo.ts'
import { isReleased } from '../../src/domain/accounts/recovery.ts'
import { describeFindings } from '../../src/domain/profiles/review.ts'

const request = { subject: null, address: '203.0.113.7', requestId: 'request' }
const change = (outcome: ContactChange['email']['outcome'], newPhone?: string): ContactChange => ({
  before: { accountId: 7, email: 'old@example.org', phone: '+966500000001', phoneCode: '966', phoneVerified: true },
  email: { to: 'new@example.org', outcome },
  newPhone,
  opened: NOT_OPENED,
})

void t.test('audits a new e-mail address, and the old and the new phone number, masked', (t) => {
  const about = { ...request, accountId: 7 }
  const [email, phone] = [
    { ...about, subject: 'n***@example.org' },
    { ...about, subject: '+966***001 +966***002' },
  ]
  t.same(buildContactEvents(change('replaced'), request), [{ event: 'email_changed', ...email }])
  t.same(buildContactEvents(change('pending'), request), [{ event: 'email_change_requested', ...email }])
  t.same(buildContactEvents(change('unchanged'), request), [])
  t.same(buildContactEvents(change('unchanged', '+966500000002'), request), [{ event: 'phone_changed', ...phone }])
  t.equal(buildContactEvents(change('replaced', '+966500000002'), request).length, 2)
  t.end()
})

void t.test('parses searches for a name, an e-mail address or a number', (t) => {
  t.same(parseUserSearch('  Sara@Example.org '), {
    name: 'sara@example.org',
    email: 'sara@example.org',
    digits: undefined,
  })
  t.equal(parseUserSearch('050 123-4567')?.digits, '501234567')
  t.equal(parseUserSearch('+966 (50) 123.4567')?.digits, '966501234567')
  t.equal(parseUserSearch('00')?.digits, undefined, 'zeros alone')
  t.equal(parseUserSearch('5 Sara')?.digits, undefined)
  for (const empty of ['', '  ', 'ـ']) t.equal(parseUserSearch(empty), undefined, 'an empty search')
  t.end()
})

void t.test('classifies searches for the audit trail', (t) => {
  const search = { name: 'sara', email: 'sara', digits: undefined }
  t.equal(classifySearch(search), 'text')
  t.equal(classifySearch({ ...search, email: 'sara@' }), 'email')
  t.equal(classifySearch({ ...search, digits: '50' }), 'phone')
  t.end()
})

void t.test('recognizes released addresses by their whole domain', (t) => {
  t.ok(isReleased('account-1-abcd@released.invalid'))
  t.notOk(isReleased('released.invalid@example.org'))
  t.end()
})

void t.test('describes the findings of a review without the numbers', (t) => {
  const plausible = { nationalId: '1012345672', identityType: 1 } as const
  const implausible = { ...plausible, nationalId: '1012345671' }
  t.equal(describeFindings(plausible, []), undefined)
  t.equal(describeFindings({ nationalId: null, identityType: null }, []), undefined)
  t.equal(describeFindings(implausible, []), 'national_id_check=implausible')
  t.equal(describeFindings(plausible, [4, 9]), 'duplicate_of=4,9')
  t.equal(describeFindings(implausible, [4]), 'national_id_check=implausible duplicate_of=4')
  t.end()
})
