import type { Language } from '../../src/messages/index.ts'
import { fixedFile, linkFrom, type SiteFile } from './files.ts'
import { guidePath, LANGUAGES, type Guide } from './guide-names.ts'
import { REFERENCE_PATH } from './markdown.ts'

export type Assets = { style: string; icon: string }

export const CHOOSER_PATH = '/docs/index.html'

const DIRECTIONS: Readonly<Record<Language, string>> = { ar: 'rtl', en: 'ltr' }
const NAMES: Readonly<Record<Language, string>> = { ar: 'العربية', en: 'English' }
const WORDS = {
  en: {
    product: 'Tawthiq',
    menu: 'Guides',
    contents: 'On this page',
    reference: 'API reference',
    document: 'OpenAPI document',
    skip: 'Skip to content',
    previous: 'Previous',
    next: 'Next',
    start: 'Overview',
  },
  ar: {
    product: 'توثيق',
    menu: 'الأدلة',
    contents: 'في هذه الصفحة',
    reference: 'مرجع الواجهة البرمجية',
    document: 'مستند OpenAPI',
    skip: 'انتقل إلى المحتوى',
    previous: 'السابق',
    next: 'التالي',
    start: 'نظرة عامة',
  },
} as const

/** Returns the page of a guide, which needs no script. */
export function renderGuide(guide: Guide, guides: readonly Guide[], assets: Assets): SiteFile {
  const { language, path, title, summary } = guide
  const words = WORDS[language]
  const siblings = guides.filter((each) => each.language === language)
  const body = `<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="brand" href="${linkFrom(path, guidePath(language, 'index'))}">${words.product}</a>
<nav>
<a class="to-menu" href="#menu">${words.menu}</a>
<a href="${linkFrom(path, REFERENCE_PATH)}">${words.reference}</a>
${languageLink(guide)}
</nav>
</header>
<div class="columns">
<main id="content">
<h1>${escape(title)}</h1>
<p class="summary">${escape(summary)}</p>
${renderContents(guide)}
${guide.name === 'index' ? guide.html + renderList(path, siblings) : guide.html}
${renderNeighbours(guide, siblings)}
</main>
${renderMenu(guide, siblings)}
</div>
<footer><a href="${linkFrom(path, '/openapi.json')}">${words.document}</a></footer>`
  return fixedFile(path, shell({ language, path, title, summary, assets, body }))
}

/** Returns the page that leads to a language. The service redirects in its place. */
export function renderChooser(guides: readonly Guide[], assets: Assets): SiteFile {
  const links = LANGUAGES.map((language) => {
    const summary = guides.find((each) => each.language === language)?.summary ?? ''
    const path = guidePath(language, 'index')
    const link = `<a href="${linkFrom(CHOOSER_PATH, path)}" hreflang="${language}">${NAMES[language]}</a>`
    return `<li lang="${language}" dir="${DIRECTIONS[language]}">${link}<p>${escape(summary)}</p></li>`
  })
  const body = `<main id="content"><h1>Tawthiq · توثيق</h1><ul class="guides">${links.join('')}</ul></main>`
  const text = { language: 'en', path: CHOOSER_PATH, title: 'Documentation', summary: 'Documentation' } as const
  return fixedFile(CHOOSER_PATH, shell({ ...text, assets, body }))
}

type Shell = { language: Language; path: string; title: string; summary: string; assets: Assets; body: string }

function shell({ language, path, title, summary, assets, body }: Shell): string {
  const product = WORDS[language].product
  return `<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === product ? title : `${title} · ${product}`)}</title>
<meta name="description" content="${escape(summary)}">
<link rel="stylesheet" href="${linkFrom(path, assets.style)}">
<link rel="icon" href="${linkFrom(path, assets.icon)}">
</head>
<body>
${body}
</body>
</html>
`
}

function languageLink({ language, name, path }: Guide): string {
  return LANGUAGES.filter((other) => other !== language)
    .map(
      (other) =>
        `<a href="${linkFrom(path, guidePath(other, name))}" lang="${other}" hreflang="${other}">${NAMES[other]}</a>`,
    )
    .join('')
}

/** The menu stands beside the page on wide screens and below it on phones. */
function renderMenu(guide: Guide, siblings: readonly Guide[]): string {
  const items = siblings.map(({ name, path, title }) => {
    const current = name === guide.name ? ' aria-current="page"' : ''
    const text = name === 'index' ? WORDS[guide.language].start : title
    return `<li><a href="${linkFrom(guide.path, path)}"${current}>${escape(text)}</a></li>`
  })
  const label = WORDS[guide.language].menu
  return `<nav class="menu" id="menu" aria-label="${label}"><h2>${label}</h2><ul>${items.join('')}</ul></nav>`
}

function renderContents({ language, headings }: Guide): string {
  if (headings.length < 3) return ''
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`)
  return `<nav class="contents" aria-label="${WORDS[language].contents}"><ul>${items.join('')}</ul></nav>`
}

function renderList(path: string, siblings: readonly Guide[]): string {
  const items = siblings
    .filter(({ name }) => name !== 'index')
    .map(
      (each) =>
        `<li><a href="${linkFrom(path, each.path)}">${escape(each.title)}</a><p>${escape(each.summary)}</p></li>`,
    )
  return `<ul class="guides">${items.join('')}</ul>`
}

function renderNeighbours(guide: Guide, siblings: readonly Guide[]): string {
  const words = WORDS[guide.language]
  const index = siblings.findIndex(({ name }) => name === guide.name)
  const links = [
    { other: siblings[index - 1], word: words.previous, rel: 'prev' },
    { other: siblings[index + 1], word: words.next, rel: 'next' },
  ].flatMap(({ other, word, rel }) => {
    if (!other) return []
    const text = other.name === 'index' ? words.start : other.title
    return [`<a rel="${rel}" href="${linkFrom(guide.path, other.path)}"><small>${word}</small>${escape(text)}</a>`]
  })
  return `<nav class="neighbours">${links.join('')}</nav>`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
