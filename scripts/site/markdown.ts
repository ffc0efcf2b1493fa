import type Token from 'markdown-it/lib/token.mjs'
import { METHODS, type Document, type Operation } from '../generate/document/openapi.ts'
import { escape, newMarkdown, renderCode, renderTabs, type Tab } from './code.ts'
import { linkFrom } from './files.ts'
import { guidePath, GUIDES, type Guide, type GuideName } from './guide-names.ts'
import type { Language } from '../../src/messages/index.ts'
import { CHANGELOG_PATH, linkToOperation, referencePath } from './shell.ts'

type Rendered = Pick<Guide, 'html' | 'title' | 'summary' | 'headings'>

/**
 * Returns a function that renders a guide of a language. Links to other guides become links of the site, and a code span such as
 * `GET /api/v1/profile` becomes a link to the reference; an operation that the document does not have is an error.
 */
export function markdownRenderer(
  document: Document,
  language: Language,
  path: string,
  file: string,
): (text: string) => Rendered {
  const markdown = newMarkdown()
  const { renderer } = markdown
  renderer.rules.code_inline = (tokens, index) => {
    const code = tokens[index]?.content ?? ''
    const html = `<code dir="ltr">${escape(code).replaceAll(/[/_]/g, '$&<wbr>')}</code>`
    const operation = operationNamed(code, document, file)
    return operation ? `<a href="${linkToOperation(path, language, operation)}">${html}</a>` : html
  }
  renderer.rules.fence = (tokens, index) => {
    const sample = readFence(tokens[index])
    if (sample.label === '') return renderCode(sample.source, sample.language)
    if (readFence(tokens[index - 1]).label !== '') return '' // the first sample of the tabs has rendered all
    const end = tokens.findIndex((token, at) => at > index && readFence(token).label === '')
    return renderTabs(tokens.slice(index, end === -1 ? undefined : end).map(readFence))
  }

  return (text) => {
    const tokens = markdown.parse(text, {})
    const headings = nameHeadings(tokens)
    nameErrorCodes(tokens, document)
    rewriteLinks(tokens, { language, path, file })
    const [title] = headings.filter(({ level }) => level === 1)
    if (!title) throw new Error(`${file} has no title`)
    const body = tokens.findIndex(({ type }) => type === 'paragraph_close') + 1 // after the title and the summary
    return {
      title: title.text,
      summary: plainText(tokens[tokens.findIndex(({ type }) => type === 'paragraph_open') + 1]),
      headings: headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, text })),
      html: renderer.render(tokens.slice(body), markdown.options, {}).replaceAll(/>\n(?=<\/?t[dhr]\b)/g, '>'),
    }
  }
}

/** Returns the sample of a fence. Neighbours with a label, such as ```sh tab=curl```, are tabs of one sample. */
function readFence(token: Token | undefined): Tab {
  const { type, content = '', info = '' } = token ?? {}
  const [language = '', ...words] = info.trim().split(/\s+/)
  const label = type === 'fence' ? words.find((word) => word.startsWith('tab='))?.slice(4) : undefined
  return { label: label ?? '', source: content, language }
}

/** Gives headings the anchors that GitHub gives them. */
function nameHeadings(tokens: Token[]): { id: string; text: string; level: number }[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const text = plainText(tokens[index + 1])
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    token.attrSet('id', id)
    return [{ id, text, level: Number(token.tag.slice(1)) }]
  })
}

/** Gives the first cell that is only an error code its name as the anchor: responses link to it. */
function nameErrorCodes(tokens: Token[], { components: { schemas } }: Document): void {
  const codes = new Set(schemas['ErrorCode']?.enum)
  for (const [index, cell] of tokens.entries()) {
    const code = tokens[index + 1]?.content.replaceAll('`', '')
    if (cell.type === 'td_open' && code !== undefined && codes.delete(code)) cell.attrSet('id', code)
  }
}

function plainText(token: Token | undefined): string {
  const children = token?.children ?? []
  return children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

/** Replaces links to the sources of guides. Other relative links would lead out of the site. */
function rewriteLinks(
  tokens: Token[],
  { language, path, file }: { language: Language; path: string; file: string },
): void {
  /** Pages that guides link to by their paths on the server */
  const pages: Readonly<Record<string, string>> = {
    '/docs/reference/': referencePath(language),
    '/docs/en/changelog/': CHANGELOG_PATH,
  }
  for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
    const href = String(link.attrGet('href'))
    if (/^(https?:|#)/.test(href)) continue
    const [, folder = '', name = '', anchor = ''] = /^(\.\.\/\w\w\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
    const target = folder === '' ? language : (folder.slice(3, 5) as Language)
    const served = pages[href] ?? (/^\/openapi\.(json|yaml)$/.test(href) ? href : undefined)
    if (served !== undefined) link.attrSet('href', linkFrom(path, served))
    else if (GUIDES.includes(name as GuideName))
      link.attrSet('href', linkFrom(path, guidePath(target, name as GuideName)) + anchor)
    else throw new Error(`${file} links to ${href}, which is not part of the site`)
  }
}

function operationNamed(code: string, { paths }: Document, file: string): Operation | undefined {
  const [, method = '', path = ''] = /^([A-Z]+) (\/api\/v1\/[^\s?]+)$/.exec(code) ?? []
  const isMethod = METHODS.some((each) => each.toUpperCase() === method)
  if (!isMethod) return undefined
  const operation = paths[path]?.[method.toLowerCase() as (typeof METHODS)[number]]
  if (!operation) throw new Error(`${file} names ${code}, which the document does not have`)
  return operation
}
