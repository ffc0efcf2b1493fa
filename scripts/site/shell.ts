// What all pages have: the head, the header with the search, and the footer.
import type { Language } from '../../src/messages/index.ts'
import type { Operation } from '../generate/document/openapi.ts'
import { escape } from './code.ts'
import { fixedFile, linkFrom, type SiteFile } from './files.ts'
import { guidePath } from './guide-names.ts'

export type Assets = {
  style: string
  icon: string
  /** Sets the color scheme before the page is drawn */
  theme: string
  script: string
  /** The URL of the service, if the site is elsewhere */
  server?: string
}

const REFERENCES: Readonly<Record<Language, string>> = { en: '/docs/reference', ar: '/docs/ar/reference' }
export const RELEASED_REFERENCE = '/docs/reference/released'

/** Returns the path of a page of the reference: the first one, or that of a tag. */
export function referencePath(language: Language, page = '', folder = REFERENCES[language]): string {
  return `${folder}/${page === '' ? '' : `${page}/`}index.html`
}

export function linkToOperation(path: string, language: Language, { tags = [], operationId }: Operation): string {
  return `${linkFrom(path, referencePath(language, tagAnchor(tags[0] ?? '')))}#${operationId}`
}

export function tagAnchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

export const CHANGELOG_PATH = '/docs/en/changelog/index.html'
export const FEED_PATH = '/docs/changelog.xml'

export const DIRECTIONS: Readonly<Record<Language, string>> = { ar: 'rtl', en: 'ltr' }
export const NAMES: Readonly<Record<Language, string>> = { ar: 'العربية', en: 'English' }
export const WORDS = {
  en: {
    product: 'Tawthiq',
    menu: 'Guides',
    contents: 'On this page',
    reference: 'API reference',
    released: 'Reference of the last release',
    changelog: 'Changelog',
    document: 'OpenAPI document',
    skip: 'Skip to content',
    previous: 'Previous',
    next: 'Next',
    start: 'Overview',
    site: 'Documentation',
    order: 'Previous and next page',
    notFound: 'Page not found',
    notFoundText: 'There is no page at this address. These guides may have what you are looking for:',
  },
  ar: {
    product: 'توثيق',
    menu: 'الأدلة',
    contents: 'في هذه الصفحة',
    reference: 'مرجع الواجهة البرمجية',
    released: 'مرجع الإصدار السابق (بالإنجليزية)',
    changelog: 'سجل التغييرات (بالإنجليزية)',
    document: 'مستند OpenAPI',
    skip: 'انتقل إلى المحتوى',
    previous: 'السابق',
    next: 'التالي',
    start: 'نظرة عامة',
    site: 'الوثائق',
    order: 'الصفحة السابقة والتالية',
    notFound: 'الصفحة غير موجودة',
    notFoundText: 'لا توجد صفحة في هذا العنوان. قد تجد ما تبحث عنه في هذه الأدلة:',
  },
} as const

export type Page = {
  language: Language
  path: string
  title: string
  /** The description of the page, for search engines */
  summary: string
  content: string
  /** The navigation beside the content, which phones show below it */
  menu?: { label: string; html: string }
  /** The same page in another language */
  translation?: { language: Language; path: string }
}

/** Returns a page with header, content, menu and footer. The script is an enhancement: all content is in the page. */
export function renderPage(page: Page, assets: Assets): SiteFile {
  const { language, path, title, content, menu, translation } = page
  const words = WORDS[language]
  const link = (target: string, text: string): string => `<a href="${linkFrom(path, target)}">${text}</a>`
  const other = translation
    ? `<a href="${linkFrom(path, translation.path)}" lang="${translation.language}" hreflang="${translation.language}">${NAMES[translation.language]}</a>`
    : ''
  const body = `<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="brand" href="${linkFrom(path, guidePath(language, 'index'))}">${words.product}</a>
<nav aria-label="${words.site}">
${menu ? `<a class="to-menu" href="#menu">${menu.label}</a>` : ''}
${link(referencePath(language), words.reference)}
${other}
</nav>
</header>
<div class="columns">
<main id="content">
<h1>${escape(title)}</h1>
${content}
</main>
${menu ? `<nav class="menu" id="menu" aria-label="${menu.label}"><h2>${menu.label}</h2>${menu.html}</nav>` : ''}
</div>
<footer>
${link(referencePath('en', '', RELEASED_REFERENCE), words.released)}
${link(CHANGELOG_PATH, words.changelog)}
${link('/openapi.json', words.document)}
</footer>`
  return fixedFile(path, renderShell(page, assets, body))
}

export function renderNeighbours(
  path: string,
  order: readonly Readonly<{ path: string; title: string }>[],
  language: Language,
): string {
  const words = WORDS[language]
  const index = order.findIndex((each) => each.path === path)
  const links = [
    { other: order[index - 1], word: words.previous, rel: 'prev' },
    { other: order[index + 1], word: words.next, rel: 'next' },
  ].flatMap(({ other, word, rel }) => {
    if (!other) return []
    return [`<a rel="${rel}" href="${linkFrom(path, other.path)}"><small>${word}</small>${escape(other.title)}</a>`]
  })
  return `<nav class="neighbours" aria-label="${words.order}">${links.join('')}</nav>`
}

export function renderShell(page: Omit<Page, 'content'>, assets: Assets, body: string): string {
  const { language, path, title, summary, translation } = page
  const { product } = WORDS[language]
  const link = (target: string): string => linkFrom(path, target)
  const alternate = translation
    ? `<link rel="alternate" hreflang="${translation.language}" href="${link(translation.path)}">\n`
    : ''
  return `<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === product ? title : `${title} · ${product}`)}</title>
<meta name="description" content="${escape(summary)}">
<link rel="stylesheet" href="${link(assets.style)}">
<link rel="icon" href="${link(assets.icon)}">
${alternate}<link rel="alternate" type="application/atom+xml" title="${WORDS.en.changelog}" href="${link(FEED_PATH)}">
<script src="${link(assets.theme)}"></script>
<script src="${link(assets.script)}"${assets.server === undefined ? '' : ` data-server="${escape(assets.server)}"`} defer></script>
</head>
<body>
${body}
</body>
</html>
`
}
