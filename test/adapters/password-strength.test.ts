import t from 'tap'
import { zxcvbnStrength } from '../../src/adapters/passwords/strength/index.ts'
import { NO_METRICS, type Metrics } from '../../src/lib/metrics.ts'
import { normalisePassword, listPersonalWords, type PersonalDetails } from '../../src/domain/passwords/password.ts'

const OWNER: PersonalDetails = { email: 'noura.alshehri@example.org', name: 'نوف الشهري', phone: '+966512345678' }
const requester = { owner: 'network 10.0.0.1' }
const RANDOM_PASSWORDS = process.env['DATABASE_URL'] === undefined ? 300 : 1000

// A busy machine takes longer than production allows.
const strength = zxcvbnStrength({ timeoutMs: 60_000, firstTimeoutMs: 60_000, waitingPerOwnerMax: 2 })
t.teardown(() => strength.close())

function isGuessable(password: string, owner: PersonalDetails = OWNER): Promise<boolean> {
  return strength.isGuessable(normalisePassword(password), listPersonalWords(owner), requester)
}

const GUESSABLE: Record<string, readonly string[]> = {
  'words with a few digits and signs': ['Password1!', 'P@ssw0rd123', 'Welcome@123', 'Admin@1234', 'W3lc0m3@123'],
  'the name of the product': ['tawthiq2026', 'Tawthiq@123', 'توثيق2026'],
  'names and places of the region': [
    'Ahmed@2025',
    'Mohammed@2025',
    'Riyadh@2030',
    'khalid1990',
    'محمد@2025',
    'عبدالله123',
  ],
  'Arabic words and phrases': ['السلامعليكم', 'كلمةالسر123', 'الهلال2030', 'بسماللهالرحمنالرحيم', 'حبيبي123'],
  'Arabic with and without hamza, tatweel and diacritics': ['ٱلسَّلَامُعَلَيْكُم', 'الســـلام123', 'أحبكأمي١٢٣'],
  'Arabic words typed in the Latin layout': ['hgsghlugd;l'],
  'keyboard walks in the Latin layout': ['qwertyuiop', '1qaz2wsx', 'qazwsxedc', 'asdfghjkl', 'zxcvbnm,', '!QAZ2wsx'],
  'keyboard walks in the Arabic layout': ['ضصثقفغعه', 'شسيبلاتنم', 'ئءؤرلاىة', 'ضصثق1234'],
  'the name of the owner': ['نوفالشهري', 'نوف12345', 'الشهري@1'],
  'the e-mail address of the owner': ['noura.alshehri', 'Noura@123', 'alshehri2026', 'example.org'],
  'the phone number of the owner': ['512345678', '0512345678', '+966512345678', '٠٥١٢٣٤٥٦٧٨', 'a0512345678'],
  'dates, repetitions and sequences': ['20112012', '17051990', 'abcabcabc', '٠١٢٣٤٥٦٧', 'ك'.repeat(37), 'abcdefgh'],
}

for (const [title, passwords] of Object.entries(GUESSABLE)) {
  void t.test(`rejects ${title}`, async (t) => {
    for (const password of passwords) t.equal(await isGuessable(password), true, password)
  })
}

void t.test('accepts passphrases in both scripts', async (t) => {
  const phrases = [
    'correct horse battery',
    'olive-harbour-58-lantern',
    'قهوة الصباح مع هيل وزعفران',
    'كتاب قديم على رف',
  ]
  for (const password of phrases) t.equal(await isGuessable(password), false, password)
})

void t.test('rejects words about the owner and accepts them from other users', async (t) => {
  const password = 'Zarqawayn42'
  t.equal(await isGuessable(password), false)
  t.equal(await isGuessable(password, { name: 'Zarqawayn' }), true)
})

void t.test('accepts at least 99 of 100 random passwords of 8 characters', async (t) => {
  t.equal(await isGuessable('Xk9#mQ2v'), false)
  let state = 7
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 // Park and Miller
  const character = (): string => String.fromCharCode(33 + Math.floor(random() * 94))
  const passwords = Array.from({ length: RANDOM_PASSWORDS }, () => Array.from({ length: 8 }, character).join(''))
  let refused = 0
  for (const password of passwords) if (await isGuessable(password)) refused++
  t.ok(refused <= RANDOM_PASSWORDS / 100, `${refused} of ${RANDOM_PASSWORDS} were refused`)
})

void t.test('accepts words that are members of every object', async (t) => {
  for (const password of ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf']) {
    const owner = { name: password, email: `${password}@example.org` }
    t.type(await isGuessable(password, owner), 'boolean', password)
  }
})

void t.test('aborts a slow check, counts it and runs the next one', async (t) => {
  const counted: unknown[] = []
  const metrics: Metrics = { ...NO_METRICS, count: (...given) => counted.push(given) }
  const hasty = zxcvbnStrength({ timeoutMs: 1, firstTimeoutMs: 1, metrics })
  t.teardown(() => hasty.close())
  for (let check = 0; check < 3; check++) {
    await t.rejects(hasty.isGuessable('correct horse battery', [], requester), { code: 'overloaded' })
  }
  t.same(
    counted,
    Array.from({ length: 3 }, () => ['tawthiq_queue_rejections_total', { queue: 'password_strength' }]),
  )
})

void t.test('gives the first check of a thread the time to load the dictionaries', async (t) => {
  const cold = zxcvbnStrength({ timeoutMs: 1, firstTimeoutMs: 60_000 })
  t.teardown(() => cold.close())
  t.equal(await cold.isGuessable('correct horse battery', [], requester), false)
})

void t.test('limits the queued checks per owner', async (t) => {
  const check = (owner: string): Promise<boolean> => strength.isGuessable('correct horse battery', [], { owner })
  const checks = Promise.allSettled(Array.from({ length: 5 }, () => check('account 1')))
  const other = check('account 2')
  const results = await checks
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
  )
  t.match(results[4], { reason: { code: 'overloaded' } })
  t.equal(await other, false)
})
