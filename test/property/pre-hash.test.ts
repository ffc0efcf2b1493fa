// Passwords of any length and script, as they are hashed and compared.
import bcrypt from 'bcryptjs'
import fc from 'fast-check'
import t from 'tap'
import { bcryptPasswords } from '../../src/adapters/passwords/index.ts'
import { toCompareInput, toHashInput } from '../../src/adapters/passwords/pre-hash.ts'

const COST = 4
const BCRYPT_BYTES = 72
const requester = { owner: 'network 10.0.0.1' }
const passwords = bcryptPasswords({ cost: COST, threads: 1 })
t.teardown(() => passwords.close())

const letters = fc.array(fc.constantFrom('ك', 'ﷺ', 'e\u0301', 'ﬁ', 'a', '\u{1f600}'), { maxLength: 120 })
const password = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 256 }),
  letters.map((each) => each.join('')),
)

void t.test('passes bcrypt the NFKC form, or its digest beyond 72 bytes', (t) => {
  fc.assert(
    fc.property(password, (each) => {
      const normalised = each.normalize('NFKC')
      const { text, tag } = toHashInput(each)
      t.equal(tag, Buffer.byteLength(normalised) > BCRYPT_BYTES ? '$tw1$' : '')
      t.ok(tag === '' ? text === normalised : /^[A-Za-z0-9+/]{43}=$/.test(text))
    }),
  )
  t.end()
})

void t.test('treats passwords with the same NFKC form as equal', (t) => {
  fc.assert(
    fc.property(password, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (each, form) => {
      const { tag, text } = toHashInput(each)
      t.same(toHashInput(each.normalize(form)), { tag, text })
      t.equal(toCompareInput(each.normalize(form), `${tag}$2b$04$`), text)
    }),
  )
  t.end()
})

void t.test('matches only the hash of the same password, at any length', async (t) => {
  const long = 'ك'.repeat(36)
  for (const own of ['short', long, `${long}x`, 'ك'.repeat(37), `${'a'.repeat(72)}b`, 'ﷺ'.repeat(14)]) {
    const hash = await passwords.hash(own, requester)
    t.ok(hash.length <= 100, 'it fits into its column')
    t.equal(await passwords.matches(own, hash, requester), true)
    t.equal(await passwords.matches(own.normalize('NFKD'), hash, requester), true)
    t.equal(await passwords.matches(`${own}x`, hash, requester), false)
    t.equal(await passwords.matches(own.slice(0, -1), hash, requester), false)
    t.equal(passwords.needsRehash(hash), false)
    t.equal(passwords.needsRehash(hash.replace('$04$', '$03$')), true)
  }
})

void t.test('does not match a long password with the hash of its beginning', async (t) => {
  const beginning = 'a'.repeat(BCRYPT_BYTES)
  const hash = await bcrypt.hash(beginning, COST)
  t.equal(await bcrypt.compare(`${beginning}b`, hash), true, 'bcrypt cuts it')
  t.equal(await passwords.matches(beginning, hash, requester), true)
  t.equal(await passwords.matches(`${beginning}b`, hash, requester), false)
})

void t.test('does not accept the digest of a long password', async (t) => {
  const long = 'ك'.repeat(37)
  const hash = await passwords.hash(long, requester)
  t.equal(await passwords.matches(toHashInput(long).text, hash, requester), false)
})
