// Choosing the language of a response by `Accept-Language`; no value of it is an error.
import t, { type Test } from 'tap'
import { bindings } from '../../generated/operations.ts'
import { languageChooser } from '../../src/http/request/language.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { openWorld } from '../support/service/world.ts'

const END = 'Host: x\r\nConnection: close\r\n'

/** Values, and the language that is chosen where Arabic is the default */
const values: Record<string, [value: string, language: 'ar' | 'en']> = {
  'a locale of Android with a calendar': ['ar_SA@calendar=gregorian', 'ar'],
  'a locale of a telephone in English': ['en_US@calendar=gregorian', 'en'],
  'a POSIX locale': ['en_GB.UTF-8', 'en'],
  'a tag with a script': ['en-Latn-US', 'en'],
  'underscores and weights': ['fr_FR,en_US;q=0.8,ar_SA;q=0.2', 'en'],
  'an invalid range before a valid one': ['@@@, ;q=1, en', 'en'],
  'letters that are not ASCII': ['العربية, en', 'en'],
  'only letters that are not ASCII': ['العربية', 'ar'],
  'a weight that is not a number': ['en;q=high', 'ar'],
  'a longer word that begins like a language': ['english', 'ar'],
  'quotes and percent-encoded letters': ['"en", %65%6e', 'ar'],
  '300 commas': [','.repeat(300), 'ar'],
  'commas before a language': [`${','.repeat(100)}en`, 'en'],
  'an overlong list, of which only the beginning is read': ['en,'.repeat(100), 'en'],
  'a language beyond the part that is read': [`${'fr,'.repeat(100)}en`, 'ar'],
  'a value near the limit of all headers': [`en;q=0.9,${'x-'.repeat(7000)}`, 'en'],
}

for (const [title, [value, language]] of Object.entries(values)) {
  void t.test(`chooses a language from ${title}`, async (t) => {
    const { service } = await openWorld()
    const head = `GET /api/v1/lookups/degrees HTTP/1.1\r\n${END}Accept-Language: ${value}\r\n\r\n`
    const { status, headers } = await rawExchange(service.origin, Buffer.from(head))
    t.equal(status, 200)
    t.equal(headers['content-language'], language)
  })
}

void t.test('never rejects a request for its language, on any operation', async (t) => {
  const world = await openWorld()
  const person = await world.person({ isAdmin: true })
  for (const id of Object.keys(bindings) as (keyof typeof bindings)[]) {
    const isJson = (bindings[id].media as readonly string[])[0] === 'application/json'
    for (const language of ['ar_SA@calendar=gregorian', ','.repeat(300)]) {
      const token = bindings[id].secured ? await person.token() : undefined
      const { status, headers, body } = await world.send(id)({ ...(isJson && { json: {} }), token, language })
      const { codes = {} } = (body.data ?? {}) as { codes?: object }
      t.notOk('accept-language' in codes, `${id} ${status}`)
      t.equal(headers['content-language'], 'ar', `${id} ${status}`)
    }
  }
})

void t.test('prefers the more specific of two ranges, and reads two headers as one list', async (t: Test) => {
  const choose = languageChooser('en')
  t.equal(choose('ar, en;q=0.5'), 'ar')
  t.equal(choose('AR_sa'), 'ar')
  t.equal(choose('fr, *;q=0.1'), 'en')
  t.equal(choose('en;q=0, ar'), 'ar')
  t.equal(choose(''), 'en')
  const { service } = await openWorld()
  const twice = `GET /nothing HTTP/1.1\r\n${END}Accept-Language: fr\r\nAccept-Language: en\r\n\r\n`
  t.equal((await rawExchange(service.origin, twice)).headers['content-language'], 'en')
})

void t.test('takes bounded time and memory for hostile values', (t) => {
  const choose = languageChooser('ar')
  const hostile = [
    'a-'.repeat(8000),
    'a,'.repeat(8000),
    'a;q=0.1;'.repeat(2000),
    '_'.repeat(16_000),
    ' '.repeat(16_000),
  ]
  const startMs = performance.now()
  for (let round = 0; round < 1000; round++) for (const value of hostile) choose(`${round}${value}`)
  const microseconds = (1000 * (performance.now() - startMs)) / (1000 * hostile.length)
  t.ok(microseconds < 2000, `${microseconds.toFixed(0)} µs for each`)
  t.end()
})
