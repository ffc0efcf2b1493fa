// What all pages have: the head, the header with the search, and the footer.
import type { Language } from '../../src/messages/index.ts'
import { escape } from './code.ts'
import { fixedFile, linkFrom, type SiteFile } from './files.ts'
import { guidePath } from './guide-names.ts'

/** The paths of the files that all pages use */
export type Assets = {
  style: string
  icon: string
  /** Sets the color scheme before the page is drawn */
  theme: string
  script: string
  search: string
  index: Readonly<Record<Language, string>>
}

export const REFERENCE_PATH = '/docs/reference/index.html'
export const TEXT_REFERENCE_PATH = '/docs/reference/text/index.html'
/** The Arabic edition of the reference, which needs no script */
export const ARABIC_REFERENCE_PATH = '/docs/ar/reference/index.html'
/** The reference of the last release */
export const RELEASED_REFERENCE_PATH = '/docs/reference/released/index.html'
/** The reference that pages of a language link to, with what precedes the operationId in its anchors, and the other one */
export const REFERENCES = {
  en: { path: REFERENCE_PATH, anchor: 'operation/', other: TEXT_REFERENCE_PATH },
  ar: { path: ARABIC_REFERENCE_PATH, anchor: '', other: REFERENCE_PATH },
} as const satisfies Record<Language, object>
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
    otherReference: 'Reference without scripts, for print',
    changelog: 'Changelog',
    document: 'OpenAPI document',
    skip: 'Skip to content',
    previous: 'Previous',
    next: 'Next',
    start: 'Overview',
    site: 'Documentation',
    order: 'Previous and next guide',
    notFound: 'Page not found',
    notFoundText: 'There is no page at this address. These guides may have what you are looking for:',
  },
  ar: {
    product: 'توثيق',
    menu: 'الأدلة',
    contents: 'في هذه الصفحة',
    reference: 'مرجع الواجهة البرمجية',
    otherReference: 'المرجع التفاعلي (بالإنجليزية)',
    changelog: 'سجل التغييرات (بالإنجليزية)',
    document: 'مستند OpenAPI',
    skip: 'انتقل إلى المحتوى',
    previous: 'السابق',
    next: 'التالي',
    start: 'نظرة عامة',
    site: 'التوثيق',
    order: 'الدليل السابق والتالي',
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
  /** The content below the title */
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
${link(REFERENCES[language].path, words.reference)}
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
${link(REFERENCES[language].other, words.otherReference)}
${link(CHANGELOG_PATH, words.changelog)}
${link('/openapi.json', words.document)}
</footer>`
  return fixedFile(path, renderShell(page, assets, body))
}

/** Returns an HTML document around a body. */
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
<script src="${link(assets.script)}" data-search="${link(assets.search)}" data-index="${link(assets.index[language])}" defer></script>
</head>
<body>
${body}
</body>
</html>
`
}
