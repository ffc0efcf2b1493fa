// The Arabic edition of the document: complete but for some recent texts, with the structure and the code of the English one.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readDocument } from '../../scripts/generate/document/document.ts'
import { fillIn } from '../../scripts/generate/document/limits.ts'
import { isObject, type Document } from '../../scripts/generate/document/openapi.ts'
import {
  compareTranslations,
  listTexts,
  readTranslations,
  translate,
} from '../../scripts/generate/document/translations.ts'
import { isUntranslated, textRenderer } from '../../scripts/site/reference-words.ts'

/** Contributors can leave texts to a translator. More than these, and a release has fallen behind. */
const UNTRANSLATED_MAX = 60

const { document: arabic, texts } = await readDocument('openapi', 'ar')
const english = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as object
const translations = await readTranslations()

const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span).sort()
/** Links to a guide lead to its Arabic edition. */
const links = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target.replace('/docs/ar/', '/docs/en/')).sort()
/** Limits can have their unit within the placeholder. */
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(?:[a-z]+ )?([\w.]+)\}\}/g)].map(([, path = '']) => path).sort()

/** Returns the blocks of a text: headings, items of lists, and rows of tables with the number of their cells. */
function shape(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('|')) return [`row of ${line.split('|').length - 2}`]
    const mark = /^(#+|-|\d+\.) /.exec(line)?.[1]
    return mark === undefined ? [] : [mark]
  })
}

void t.test('at most some texts have no translation or a stale one', (t) => {
  const { missing, stale } = compareTranslations(texts, translations)
  t.ok(texts.length > 800)
  t.ok(missing.length <= UNTRANSLATED_MAX, `${missing.length} texts have no translation:\n${missing.join('\n')}`)
  t.ok(stale.length <= UNTRANSLATED_MAX, `${stale.length} translations are of other texts:\n${stale.join('\n')}`)
  t.end()
})

void t.test('each translation has the code, links, limits, lists and tables of its text', (t) => {
  for (const [en, ar] of translations) {
    for (const part of [codeSpans, links, placeholders, shape]) t.same(part(ar), part(en), en)
    t.ok(/\p{Script=Arabic}/u.test(ar), en)
  }
  t.end()
})

void t.test('translations end sentences where their texts do', (t) => {
  for (const [en, ar] of translations) t.equal(/[.:]$/.test(ar), /[.:]$/.test(en), en)
  t.end()
})

/** Returns the texts of a document that the edition shows, by their place. */
function textsOf(node: unknown, place = ''): [place: string, text: string][] {
  if (Array.isArray(node)) return node.flatMap((item, index) => textsOf(item, `${place}/${index}`))
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (['example', 'examples', 'enum', 'const', 'default', 'x-codeSamples'].includes(key)) return []
    const isText = typeof value === 'string' && ['description', 'summary'].includes(key)
    return isText ? [[`${place}/${key}`, value]] : textsOf(value, `${place}/${key}`)
  })
}

/** Returns the longest part of a text without limits and line ends, which the document has as it is. */
function longestLiteral(text: string): string {
  const [longest = text] = text.split(/\{\{[^}]*\}\}|\n/).sort((one, other) => other.length - one.length)
  return longest
}

void t.test('texts of the generator are in Arabic too, with the same code and shape', (t) => {
  const untranslated = compareTranslations(texts, translations).missing.map(longestLiteral)
  const shown = new Map(textsOf(english))
  let count = 0
  for (const [place, text] of textsOf(arabic)) {
    const original = shown.get(place)
    if (original === undefined || untranslated.some((part) => original.includes(part))) continue
    count++
    t.notOk(isUntranslated(text, 'ar'), text)
    t.same(shape(text), shape(original), place)
    t.same(new Set(codeSpans(text)), new Set(codeSpans(original)), place)
    t.notOk(text.includes('{{'), place)
  }
  t.ok(count > 1000, String(count))
  t.end()
})

void t.test('a text without a translation is shown in English, and marked as such', (t) => {
  for (const text of ['Log in with a passkey', 'Returns `422 phone_taken` if the number is taken.'])
    t.ok(isUntranslated(text, 'ar'), text)
  for (const text of ['`phone_changed`', 'PDF', 'U+FFFD', 'حالة HTTP.', 'JPEG و PNG and more'])
    t.notOk(isUntranslated(text, 'ar'), text)
  t.end()
})

void t.test('a missing translation leaves the English text, and a changed text makes its translation stale', (t) => {
  const source = {
    tags: [{ name: 'Errors', description: 'Describes errors.' }],
    components: {
      schemas: { Code: { properties: { value: { description: 'The value.' } }, default: { summary: 'x' } } },
    },
  } as unknown as Document
  const known = new Map([
    ['The value.', 'القيمة.'],
    ['Described errors.', 'وصف الأخطاء.'],
  ])
  const { tags, components } = translate(source, known)
  t.same(tags, [{ name: 'Errors', description: 'Describes errors.', 'x-displayName': 'Errors' }])
  t.same(components.schemas['Code']?.properties, { value: { description: 'القيمة.' } })
  t.same(compareTranslations(listTexts(source), known), {
    missing: ['Describes errors.', 'The value.', 'Errors'].filter((text) => !known.has(text)),
    stale: ['Described errors.'],
  })
  t.end()
})

void t.test('two translations of one text are refused', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tawthiq-translations-'))
  writeFileSync(join(folder, 'a.yaml'), '- { en: The value., ar: القيمة. }')
  writeFileSync(join(folder, 'b.yaml'), '- { en: The value., ar: قيمة الحقل. }')
  await t.rejects(readTranslations(folder), { message: /two translations of: The value\./ })
})

void t.test('blocks without a translation have the language and the direction of English', (t) => {
  const render = textRenderer('/docs/ar/reference/index.html', 'ar')
  const html = render(
    'أرسل الرمز.\n\nSend the code with `otp`.\n\n| الخطأ |\n|---|\n| no code was sent |\n| لم يُرسل رمز |',
  )
  t.match(html, '<p>أرسل الرمز.</p>\n<p lang="en" dir="ltr">Send the code with <code>otp</code>.</p>')
  t.match(html, '<td lang="en" dir="ltr">no code was sent</td>')
  t.match(html, '<td>لم يُرسل رمز</td>')
  t.notMatch(textRenderer('/docs/reference/sessions/index.html', 'en')('Send the code.'), 'lang=')
  t.end()
})

void t.test('limits have their units in the plural form of their number', (t) => {
  const limits = { wait: { minutes: 5, days: 30, delays_seconds: [60, 90, 7200] } }
  t.equal(fillIn('خلال {{minutes wait.minutes}}.', limits, 'ar'), 'خلال 5 دقائق.')
  t.equal(fillIn('بعد {{duration wait.delays_seconds}}.', limits, 'ar'), 'بعد دقيقة و90 ثانية وساعتان.')
  t.equal(fillIn('After {{days wait.days}}.', limits), 'After 30 days.')
  t.throws(() => fillIn('{{minutes wait.hours}}', limits, 'ar'), /no number at wait\.hours/)
  t.end()
})
