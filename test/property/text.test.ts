// Which texts are accepted: no control characters, and a visible character where a text must not be blank.
import fc from 'fast-check'
import t from 'tap'
import { isCleanText, isVisibleText } from '../../src/domain/text.ts'
import { clientRegistration } from '../support/accounts/registrations.ts'
import { openWorld } from '../support/service/world.ts'

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))

/** The code points of a text, which are unambiguous in the output of the tests */
const codesOf = (text: string): string => [...text].map((character) => character.codePointAt(0)?.toString(16)).join(' ')

const C0 = [...range(0, 8), '\u000B', '\u000C', ...range(0x0e, 0x1f), '\u007F']
const C1 = range(0x80, 0x9f)
const DIRECTIONS = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]
const MARKS = ['\u200E', '\u200F', '\u061C']

/** Characters that fonts do not show, by their Unicode names */
const INVISIBLE: Record<string, string[]> = {
  spaces: [' ', '\u00A0', '\u2003', '\u3000', '\u202F', '\u1680'],
  'line ends and tabs': ['\n', '\r', '\t', '\u2028', '\u2029'],
  joiners: ['\u200C', '\u200D', '\u200B', '\u2060', '\uFEFF', '\u00AD', '\u034F', '\u180E'],
  'marks of direction': MARKS,
  'variation selectors': ['\uFE00', '\uFE0F', '\u{E0100}', '\u180B'],
  fillers: ['\u115F', '\u1160', '\u3164', '\uFFA0', '\u17B4', '\u17B5'],
  blanks: ['\u2800', '\uFFFC', '\u{13441}', '\u{1D159}'],
  tags: ['\u{E0001}', ...range(0xe0020, 0xe007f)],
  'combining marks': ['\u0301', '\u064B', '\u0651', '\u20E3', '\u0903'],
  'other formats': ['\u2061', '\u2064', '\u206F', '\uFFF9', '\u{1D173}', '\u0600'],
}

const invisible = fc.array(fc.constantFrom(...Object.values(INVISIBLE).flat())).map((parts) => parts.join(''))
const visible = fc.constantFrom('a', 'س', '字', '5', '٥', '-', '.', '+', '😀', '한', 'अ', '©', '𓀀', 'ᄀ')

void t.test('rejects control characters at any position', (t) => {
  for (const control of [...C0, ...C1, ...DIRECTIONS, '\uFFFD', '\uD800', '\uDC00'])
    for (const text of [control, `سارة${control}`, `${control}سارة`]) t.notOk(isCleanText(text), codesOf(text))
  for (const text of ['\t\r\n', ...MARKS, ...Object.values(INVISIBLE).flat(), '\u00A0', '\u00A1'])
    t.ok(isCleanText(text))
  t.end()
})

void t.test('detects texts without a visible character', (t) => {
  for (const [title, characters] of Object.entries(INVISIBLE))
    for (const character of characters) t.notOk(isVisibleText(character), `${title}: ${codesOf(character)}`)
  fc.assert(fc.property(invisible, (text) => !isVisibleText(text)))
  t.end()
})

void t.test('accepts texts with one visible character', (t) => {
  fc.assert(fc.property(invisible, visible, invisible, (before, shown, after) => isVisibleText(before + shown + after)))
  t.end()
})

void t.test('validates texts in bodies and queries', async (t) => {
  const world = await openWorld()
  const register = world.send('register')
  for (const control of C1) {
    const { body } = await register({ json: clientRegistration({ name: `نوف${control}` }) })
    t.same(body.data?.codes, { name: ['wrong_format'] }, codesOf(control))
  }
  for (const name of Object.values(INVISIBLE).map((characters) => characters.join(''))) {
    const { body } = await register({ json: clientRegistration({ name }) })
    t.same(body.data?.codes, { name: ['wrong_format'] }, codesOf(name))
  }
  const { body } = await world.send('listCities')({ query: { region_id: 1, q: 'a\u0085' } })
  t.same(body.data?.codes, { q: ['wrong_format'] })
})
