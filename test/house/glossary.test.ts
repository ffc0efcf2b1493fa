// The glossary against the Arabic texts: translations of the document, messages and guides.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { readTranslations } from '../../scripts/generate/document/translations.ts'
import { catalogues } from '../../src/messages/index.ts'

const FOLDER = 'docs/guides/ar'

type Term = { english: string; arabic: string; others: string[] }

const [, , ...rows] = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
const terms: Term[] = rows.map((row) => {
  const [, english = '', arabic = '', others = ''] = row.split('|').map((cell) => cell.trim())
  return { english, arabic, others: others.split('، ').filter((word) => word !== '') }
})

const PAGES = 'pages/texts/ar.ts'
const guides = readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}/${name}`, 'utf8')] as const)
const texts = [
  ...(await readTranslations()),
  ...Object.entries<string>(catalogues.ar),
  ...guides,
  [PAGES, readFileSync(PAGES, 'utf8')] as const,
]

/** Returns the words of a text that the glossary replaces. Arabic words can begin with a conjunction, a preposition or an article. */
function foundIn(text: string): string[] {
  const words = terms.flatMap(({ others }) => others)
  return words.filter((word) => new RegExp(`(?<!\\p{L})(?:[وف]?[بكل]?(?:ال)?)${word}(?!\\p{L})`, 'u').test(text))
}

void t.test('lists each English term once, with an Arabic term that texts use', (t) => {
  t.ok(terms.length >= 60)
  t.equal(new Set(terms.map(({ english }) => english)).size, terms.length)
  t.equal(new Set(terms.map(({ arabic }) => arabic)).size, terms.length)
  for (const { english, arabic } of terms) {
    t.ok(
      texts.some(([, text]) => text.includes(arabic)),
      `${english}: ${arabic}`,
    )
  }
  t.end()
})

void t.test('Arabic texts use the terms of the glossary', (t) => {
  for (const [name, text] of texts) t.same(foundIn(text), [], name)
  t.same(foundIn('باستخدام مكتبة SDK'), ['مكتبة SDK'])
  t.same(foundIn('أُزيلت وكلمة السر'), ['كلمة السر', 'أُزيلت'])
  t.end()
})

void t.test('error codes are named as such', (t) => {
  for (const [name, text] of texts) t.notMatch(text, /(?<!\p{L})[وف]?(?:بالرمز|الرمز) `[a-z]+_[a-z_]+`/u, name)
  t.end()
})
