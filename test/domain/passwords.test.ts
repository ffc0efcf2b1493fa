// What a new password must not contain, before its strength is estimated.
import t from 'tap'
import {
  extractBcryptHash,
  findPasswordFaults,
  listPersonalWords,
  normalisePassword,
} from '../../src/domain/passwords/password.ts'

void t.test('normalises passwords to NFKC', (t) => {
  t.equal(normalisePassword('ﬁsh １２３ é'), 'fish 123 é')
  t.end()
})

void t.test('accepts 256 characters, and rejects 257 after normalisation', (t) => {
  t.same(findPasswordFaults('😀'.repeat(256), undefined), [])
  t.same(findPasswordFaults('😀'.repeat(257), undefined), ['password_too_long'])
  t.end()
})

void t.test('rejects the e-mail address as a password, in any case', (t) => {
  t.same(findPasswordFaults('Sara@Example.org', 'sara@example.org'), ['password_is_email'])
  t.same(findPasswordFaults('sara@example.orgs', 'sara@example.org'), [])
  t.same(findPasswordFaults('undefined', undefined), [])
  t.end()
})

void t.test('removes only the tag of a pre-hashed password from its hash', (t) => {
  t.equal(extractBcryptHash('$tw1$$2b$12$abc'), '$2b$12$abc')
  t.equal(extractBcryptHash('$2b$12$abc'), '$2b$12$abc')
  t.end()
})

void t.test('lists the words that an attacker tries first', (t) => {
  const words = listPersonalWords({
    email: 'sara.alotaibi88@mail.example.org',
    name: 'سارة العتيبي',
    phone: '+966512345678',
  })
  const expected = {
    'the product': ['tawthiq', 'توثيق'],
    'the names, also without their article': ['سارة', 'العتيبي', 'عتيبي'],
    'the joined names': ['سارةالعتيبي'],
    'the e-mail address and its parts': ['sara.alotaibi88', 'sara', 'alotaibi', 'sara.alotaibi88@mail.example.org'],
    'the domain and its labels, but not the last': ['mail.example.org', 'mail', 'example'],
    'the number, its national forms and its last digits': ['966512345678', '512345678', '0512345678', '2345678'],
  }
  for (const [title, some] of Object.entries(expected)) {
    t.same(
      some.filter((word) => !words.includes(word)),
      [],
      title,
    )
  }
  t.notOk(words.includes('org'))
  t.end()
})

void t.test('joins the first two of several names', (t) => {
  const words = listPersonalWords({ name: 'Sara Fahad Alotaibi' })
  for (const word of ['sarafahad', 'sarafahadalotaibi']) t.ok(words.includes(word), word)
  t.end()
})

void t.test('recognises national numbers of ten digits, in any digits', (t) => {
  const words = listPersonalWords({ phone: '+1 (415) 555-2671' })
  for (const word of ['14155552671', '4155552671', '04155552671']) t.ok(words.includes(word), word)
  t.same(listPersonalWords({ phone: '٠٥١٢٣٤٥٦٧٨' }), listPersonalWords({ phone: '0512345678' }))
  t.end()
})

void t.test('lists no word twice, none under 3 or over 64 characters, and at most 50', (t) => {
  const [short, long, tooLong] = ['ab', 'c'.repeat(64), 'd'.repeat(65)]
  const words = listPersonalWords({ name: `${short} abc ${long} ${tooLong} abc` })
  t.same(
    [short, 'abc', long, tooLong].map((word) => words.includes(word)),
    [false, true, true, false],
  )
  t.equal(new Set(words).size, words.length)
  const names = 'abcdefghijklmnopqrstuvwxyz'.split('').flatMap((letter) => [letter.repeat(3), letter.repeat(4)])
  t.equal(listPersonalWords({ name: names.join(' ') }).length, 50)
  t.end()
})
