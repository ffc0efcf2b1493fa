// The pages of the guides.
import { escape } from './code.ts'
import { fixedFile, linkFrom, type SiteFile } from './files.ts'
import type { Language } from '../../src/messages/index.ts'
import { GROUPS, guidePath, LANGUAGES, OTHER, type Guide } from './guide-names.ts'
import { DIRECTIONS, NAMES, renderNeighbours, renderPage, renderShell, WORDS, type Assets } from './shell.ts'

const CHOOSER_PATH = '/docs/index.html'

export function renderGuide(guide: Guide, guides: readonly Guide[], assets: Assets): SiteFile {
  const { language, name, path, title, summary, html } = guide
  const siblings = guides.filter((each) => each.language === language)
  const order = siblings.map((each) => ({
    path: each.path,
    title: each.name === 'index' ? WORDS[language].start : each.title,
  }))
  const content = `<p class="summary">${escape(summary)}</p>
${renderContents(guide)}
${name === 'index' ? html + renderList(path, siblings) : html}
${renderNeighbours(path, order, language)}`
  const menu = { label: WORDS[language].menu, html: renderMenu(guide, siblings) }
  const translation = { language: OTHER[language], path: guidePath(OTHER[language], name) }
  return renderPage({ language, path, title, summary, content, menu, translation }, assets)
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
  return fixedFile(CHOOSER_PATH, renderShell(text, assets, body))
}

export function renderNotFound(language: Language, guides: readonly Guide[], assets: Assets): SiteFile {
  const pathIn = (each: Language): string => `/docs/${each}/not-found/index.html`
  const path = pathIn(language)
  const siblings = guides.filter((each) => each.language === language)
  const { notFound: title, notFoundText: summary } = WORDS[language]
  const content = `<p class="summary">${summary}</p>\n${renderList(path, siblings)}`
  const translation = { language: OTHER[language], path: pathIn(OTHER[language]) }
  return renderPage({ language, path, title, summary, content, translation }, assets)
}

function renderMenu(guide: Guide, siblings: readonly Guide[]): string {
  const groups = GROUPS.map(({ guides, ...titles }) => {
    const items = siblings.flatMap(({ name, path, title }) => {
      if (!(guides as readonly string[]).includes(name)) return []
      const current = name === guide.name ? ' aria-current="page"' : ''
      const text = name === 'index' ? WORDS[guide.language].start : title
      return [`<li><a href="${linkFrom(guide.path, path)}"${current}>${escape(text)}</a></li>`]
    })
    return `<h3>${titles[guide.language]}</h3><ul>${items.join('')}</ul>`
  })
  return groups.join('')
}

function renderContents({ language, headings }: Guide): string {
  if (headings.length < 3) return ''
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escape(text)}</a></li>`)
  return `<nav class="contents" aria-label="${WORDS[language].contents}"><ul>${items.join('')}</ul></nav>`
}

function renderList(path: string, siblings: readonly Guide[]): string {
  const items = siblings.flatMap(({ name, title, summary, path: target }) => {
    if (name === 'index') return []
    return [`<li><a href="${linkFrom(path, target)}">${escape(title)}</a><p>${escape(summary)}</p></li>`]
  })
  return `<ul class="guides">${items.join('')}</ul>`
}
