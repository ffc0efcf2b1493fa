// Second factors in the rows of an import.
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { publicKeyCheck } from '../../src/adapters/passkeys/public-keys.ts'
import { phoneNumbers } from '../../src/adapters/sms/phone-numbers.ts'
import { reportLine } from '../../src/cli/import/report/lines.ts'
import { rowCheck, type Checked } from '../../src/cli/import/rows/row-check.ts'
import { rowSchema } from '../../src/cli/import/rows/row-schema.ts'
import { passkeyElsewhere, passkeyRow, randomHandle, rowOf } from '../support/accounts/imported-factors.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const SECRET = 'JBSWY3DPEHPK3PXP'
const RULES = {
  phoneNumbers: phoneNumbers(),
  factors: {
    sealTotp: (secret: string) => new Uint8Array(Buffer.from(secret)),
    relyingPartyId: 'localhost',
    checkPublicKey: await publicKeyCheck(),
  },
  nowMs: () => Date.UTC(2026, 0, 1),
}
const check = rowCheck(rowSchema(), RULES)

function resultOf(more: object): Checked['result'] {
  return check({ line: 2, end: 0, content: { fields: { ...rowOf('person', more) } } }).result
}

function failuresOf(more: object): unknown {
  const result = resultOf(more)
  return 'failures' in result ? result.failures : {}
}

/** Returns the secret of the app that is imported for a row. */
function secretOf(totp_secret: string): string | undefined {
  const result = resultOf({ totp_secret })
  const sealed = 'account' in result ? result.account.factors?.sealTotp?.(1) : undefined
  return sealed && Buffer.from(sealed).toString()
}

/** Encodes bytes in base32 without padding (RFC 4648, section 6). */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[parseInt(five.padEnd(5, '0'), 2)]).join('')
}

void t.test('reads secrets of 10 to 64 bytes as people type them, and as URIs', (t) => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 64 })
  const separator = fc.constantFrom('', ' ', '-', '  ')
  fc.assert(
    fc.property(bytes, separator, fc.boolean(), fc.nat(6), (given, between, isLower, padding) => {
      const secret = base32(given)
      const typed = (isLower ? secret.toLowerCase() : secret).match(/.{1,4}/g)?.join(between) ?? ''
      t.equal(secretOf(`${typed}${'='.repeat(padding)}`), secret)
      t.equal(secretOf(`otpauth://totp/Old:a%40b.c?issuer=Old&secret=${secret}&algorithm=SHA1`), secret)
    }),
    { numRuns: 100 },
  )
  t.equal(secretOf(`OTPAUTH://TOTP/x?secret=${SECRET}&algorithm=HmacSHA1&digits=6&period=30`), SECRET)
  t.end()
})

void t.test('rejects other secrets', (t) => {
  const uri = (parameters: string): string => `otpauth://totp/x?secret=${SECRET}&${parameters}`
  const wrong: [unknown, object][] = [
    [`${SECRET.slice(0, 15)}1`, { totp_secret: ['wrong_format'] }],
    ['===', { totp_secret: ['wrong_format'] }],
    [`${SECRET}==A`, { totp_secret: ['wrong_format'] }],
    [`${SECRET.slice(0, 15)}\u0131`, { totp_secret: ['wrong_format'] }],
    [`${SECRET}A`, { totp_secret: ['wrong_format'] }],
    [SECRET.slice(0, 15), { totp_secret: [{ code: 'too_short', values: { limit: 16 } }] }],
    ['A'.repeat(104), { totp_secret: [{ code: 'too_long', values: { limit: 103 } }] }],
    [123, { totp_secret: ['wrong_type'] }],
    [uri('algorithm=SHA256'), { 'totp_secret.algorithm': ['not_allowed'] }],
    [
      uri('algorithm=MD5&digits=8&period=60'),
      {
        'totp_secret.algorithm': ['not_allowed'],
        'totp_secret.digits': ['not_allowed'],
        'totp_secret.period': ['not_allowed'],
      },
    ],
    [uri('digits=6&digits=8'), { 'totp_secret.digits': ['not_allowed'] }],
    [uri('secret=AAAA'), { totp_secret: ['wrong_format'] }],
    ['otpauth://totp/x', { totp_secret: ['wrong_format'] }],
    ['otpauth://', { 'totp_secret.type': ['not_allowed'] }],
    [`otpauth://hotp/x?secret=${SECRET}&counter=1`, { 'totp_secret.type': ['not_allowed'] }],
  ]
  for (const [totp_secret, failures] of wrong) t.same(failuresOf({ totp_secret }), failures, String(totp_secret))
  t.end()
})

void t.test('requires a verified address or number for a second factor', (t) => {
  const passkeys = [passkeyRow(passkeyElsewhere())]
  const unverified = { email_verified: false }
  for (const factors of [{ totp_secret: SECRET }, { passkeys }]) {
    t.same(failuresOf({ ...factors, ...unverified }), { email_verified: ['required'] })
    t.same(failuresOf({ ...factors, ...unverified, phone_verified: true }), {})
    t.same(failuresOf({ ...factors, email_verified: 'x' }), { email_verified: ['wrong_type'] })
  }
  t.same(failuresOf({ ...unverified, passkeys: [] }), {})
  t.end()
})

void t.test('rejects passkeys that no login could use', (t) => {
  const passkey = passkeyElsewhere()
  const wrong: [object, object][] = [
    [{ rp_id: 'example.com' }, { rp_id: ['not_allowed'] }],
    [{ public_key: 'AAAA' }, { public_key: ['wrong_format'] }],
    [{ public_key: 'A+/=' }, { public_key: ['wrong_format'] }],
    [{ public_key: 'A'.repeat(1026) }, { public_key: [{ code: 'too_long', values: { limit: 1024 } }] }],
    [{ public_key: Buffer.from([0xa1, 0x03, 0x38, 0x22]).toString('base64url') }, { public_key: ['not_allowed'] }],
    [{ credential_id: 'AAAAA' }, { credential_id: ['wrong_format'] }],
    [{ credential_id: 'A' }, { credential_id: [{ code: 'too_short', values: { limit: 2 } }, 'wrong_format'] }],
    [{ credential_id: undefined }, { credential_id: ['required'] }],
    [{ user_handle: randomHandle(65) }, { user_handle: [{ code: 'too_long', values: { limit: 86 } }] }],
    [{ counter: -1 }, { counter: [{ code: 'too_small', values: { limit: 0 } }] }],
    [{ counter: 2 ** 32 }, { counter: [{ code: 'too_large', values: { limit: 2 ** 32 - 1 } }] }],
    [{ counter: 1.5 }, { counter: ['wrong_type'] }],
    [{ transports: ['INTERNAL'] }, { 'transports.0': ['wrong_format'] }],
    [{ name: ' ' }, { name: ['wrong_format'] }],
    [{ name: 'x'.repeat(61) }, { name: [{ code: 'too_long', values: { limit: 60 } }] }],
    [{ aaguid: 'urn:uuid:ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4' }, { aaguid: ['wrong_format'] }],
    [{ backup_eligible: false }, { backed_up: ['not_allowed'] }],
    [{ backed_up: 'yes' }, { backed_up: ['wrong_type'] }],
    [{ created_at: '2027-01-01T00:00:00Z' }, { created_at: ['not_allowed'] }],
    [{ created_at: '2016-12-31T23:59:60Z' }, { created_at: ['date_unreal'] }],
    [{ secret: 'x' }, { secret: ['unknown_field'] }],
  ]
  for (const [more, failures] of wrong) {
    const expected = Object.fromEntries(Object.entries(failures).map(([name, found]) => [`passkeys.0.${name}`, found]))
    t.same(failuresOf({ passkeys: [passkeyRow(passkey, more)] }), expected, JSON.stringify(more))
  }
  t.same(failuresOf({ passkeys: 'x' }), { passkeys: ['wrong_type'] })
  t.same(failuresOf({ passkeys: [passkeyRow(passkey, { created_at: null, aaguid: null })] }), {})
  t.end()
})

void t.test('requires passkeys of an account to differ and to have one user handle', (t) => {
  const [first, other] = [passkeyElsewhere(), passkeyElsewhere()]
  const { userHandle } = first
  t.same(failuresOf({ passkeys: [passkeyRow(first), passkeyRow(other)] }), {
    'passkeys.1.user_handle': ['not_allowed'],
  })
  t.same(failuresOf({ passkeys: [passkeyRow(first), passkeyRow(first)] }), {
    'passkeys.1.credential_id': ['repeated'],
  })
  const many = Array.from({ length: 11 }, () => passkeyRow(passkeyElsewhere(userHandle)))
  t.same(failuresOf({ passkeys: many.slice(1) }), {})
  t.same(failuresOf({ passkeys: many }), { passkeys: [{ code: 'too_many', values: { limit: 10 } }] })
  t.end()
})

void t.test('accepts the example of the documentation', (t) => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/importing.md', 'utf8')) ?? []
  const ownRules = { ...RULES, factors: { ...RULES.factors, relyingPartyId: 'example.com' } }
  const content = { fields: JSON.parse(example) as Record<string, unknown> }
  t.match(rowCheck(rowSchema(), ownRules)({ line: 1, end: 0, content }).result, {
    account: { factors: { passkeys: [{ name: 'MacBook', relyingPartyId: 'example.com' }] } },
  })
  t.end()
})

void t.test('never writes a secret to the report', (t) => {
  const lineOf = (email: string): string => reportLine({ line: 2, email, failures: { email: ['wrong_format'] } })
  for (const email of [SECRET, ' jbsw y3dp-ehpk 3pxp==', `"otpauth://totp/a@b.c?secret=${SECRET}`])
    t.match(lineOf(email), '"email":"***"', email)
  for (const email of ['abdulrahmanalotaibi@example.org', 'nobody']) t.match(lineOf(email), `"email":"${email}"`)
  t.end()
})
