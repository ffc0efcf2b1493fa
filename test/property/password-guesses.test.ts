// Merged dictionaries give the same number of guesses as those of zxcvbn.
import { ZxcvbnFactory, type Options } from '@zxcvbn-ts/core'
import fc from 'fast-check'
import t from 'tap'
import { DICTIONARIES, mergeDictionaries, SETTINGS } from '../../src/adapters/passwords/strength/worker.ts'

const ROUNDS = process.env['DATABASE_URL'] === undefined ? 100 : 300

const plain = new ZxcvbnFactory({ ...SETTINGS, dictionary: copyOf(DICTIONARIES) })
const merged = new ZxcvbnFactory(SETTINGS)
mergeDictionaries(merged['options'] as Options, DICTIONARIES)

const word = fc
  .constantFrom(...Object.values(DICTIONARIES))
  .chain((list) => fc.integer({ min: 0, max: list.length - 1 }).map((index) => list[index] ?? ''))
const spelling = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => [...text].reverse().join(''),
  (text) => text.replaceAll('a', '@').replaceAll('o', '0').replaceAll('e', '3'),
)
const spelled = fc.tuple(word, spelling).map(([text, spell]) => spell(text))
const part = fc.oneof({ weight: 3, arbitrary: spelled }, fc.string({ maxLength: 4 }), fc.nat(2030).map(String))
const password = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))

void t.test('the guesses are the same, with and without personal words', async (t) => {
  fc.assert(
    fc.property(password, fc.array(word, { maxLength: 3 }), (text, personal) => {
      t.equal(guesses(merged, text, personal), guesses(plain, text, personal), JSON.stringify(text))
    }),
    { numRuns: ROUNDS },
  )
})

function guesses(zxcvbn: ZxcvbnFactory, text: string, personal: string[]): number {
  return zxcvbn.check(text.slice(0, SETTINGS.maxLength), personal).guesses
}

function copyOf(dictionaries: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(dictionaries).map(([name, words]) => [name, [...words]]))
}
