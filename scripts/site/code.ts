// Code blocks of the pages: highlighted at build, so that they need no script.
import MarkdownIt from 'markdown-it'
import { createRequire } from 'node:module'

/** The part of highlight.js that is used. Its own types would declare the DOM for the whole project. */
type Highlighter = {
  registerLanguage(name: string, language: unknown): void
  highlight(source: string, options: { language: string }): { value: string }
}

/** The definitions of highlight.js, by the names of languages in guides and in the document */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  http: 'http',
  json: 'json',
  kotlin: 'kotlin',
  python: 'python',
  js: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  typescript: 'typescript',
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter
for (const [name, definition] of Object.entries(LANGUAGES))
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${definition}`))

export type Tab = { label: string; source: string; language: string }

/** Returns a code block. The keyboard can scroll it. */
export function renderCode(source: string, language: string): string {
  const name = language.toLowerCase()
  const code = Object.hasOwn(LANGUAGES, name) ? highlighter.highlight(source, { language: name }).value : escape(source)
  const text = code.replaceAll('&quot;', '"').replaceAll('&#x27;', "'") // escapes that only attributes need
  return `<pre dir="ltr" tabindex="0" data-language="${escape(language)}"><code>${text}</code></pre>\n`
}

/** Returns one sample in several languages: below each other with their labels, and as tabs once the script has run. */
export function renderTabs(tabs: readonly Tab[]): string {
  const panels = tabs.map(({ label, source, language }) => {
    const name = escape(label)
    return `<section data-tab="${name}"><p class="tab-label">${name}</p>\n${renderCode(source, language)}</section>\n`
  })
  return `<div class="tabs">${panels.join('')}</div>\n`
}

export function newMarkdown(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  markdown.renderer.rules['table_close'] = () => '</table></div>\n'
  return markdown
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
