// The Markdown of the document on the pages of the reference.
import type Token from 'markdown-it/lib/token.mjs'
import type { Language } from '../../src/messages/index.ts'
import { newMarkdown } from './code.ts'
import { linkFrom } from './files.ts'
import { ENGLISH, isUntranslated } from './reference-words.ts'
import type { RenderText } from './schemas.ts'

/** Descriptions begin with headings of this level, which become that below their section. */
const FIRST_LEVEL = 3

/** The level of the heading that a description is below */
type Env = { section: number }

/** Returns a function that renders Markdown of the document, with links that work on the page. */
export function textRenderer(path: string, language: Language): RenderText {
  const markdown = newMarkdown()
  markdown.core.ruler.push('reference', ({ tokens, env }) => {
    changeLevels(tokens, env as Env)
    markUntranslated(tokens, language)
  })
  return (text, section = 3) =>
    markdown.render(
      text.replaceAll(
        /\]\((\/docs\/[^)#]*)(#[^)]*)?\)/g,
        (_, target: string, anchor = '') => `](${linkFrom(path, `${target}index.html`)}${anchor as string})`,
      ),
      { section },
    )
}

function changeLevels(tokens: Token[], { section }: Env): void {
  for (const token of tokens)
    if (token.type.startsWith('heading_')) token.tag = `h${Number(token.tag.slice(1)) - FIRST_LEVEL + section + 1}`
}

/** Marks the blocks that have no translation, such as paragraphs and cells, for screen readers and the direction. */
function markUntranslated(tokens: Token[], language: Language): void {
  let block: Token | undefined
  for (const token of tokens) {
    if (token.nesting === 1 && !token.hidden) block = token
    if (token.type !== 'inline' || !block || !isUntranslated(token.content, language)) continue
    for (const [name, value] of Object.entries(ENGLISH)) block.attrSet(name, value)
  }
}
