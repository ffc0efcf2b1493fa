// The texts of the document in the reference, and the words around them.
import type Token from 'markdown-it/lib/token.mjs'
import type { Language } from '../../src/messages/index.ts'
import { escape, newMarkdown } from './code.ts'
import { linkFrom } from './files.ts'
import type { RenderText } from './schemas.ts'
import { DIRECTIONS } from './shell.ts'

const en = {
  title: 'API reference',
  menu: 'Contents',
  operations: 'Operations',
  token: 'with an access token',
  requestExample: 'Example of a request',
  responseExample: 'Example of a response',
  schemas: 'Schemas',
  webhook: 'Webhook',
  deprecated: 'deprecated',
  required: 'required',
  optional: 'optional',
  parameters: 'Parameters',
  requestBody: 'Request body',
  responses: 'Responses',
  conditions: 'Conditions:',
  parameterHead: ['Name', 'In', 'Type', 'Description'],
  bodyHead: ['Media type', 'Schema'],
  responseHead: ['Status', 'Description', 'Body'],
  memberHead: ['Member', 'Type', 'Description'],
  valueHead: ['Value', 'Meaning'],
  or: 'or',
  arrayOf: 'array of',
  mapOf: 'map of',
  places: {} as Readonly<Record<string, string>>,
  /** The keywords that restrict a value; patterns and values are shown as code. */
  limits: {
    enum: 'One of',
    const: 'Always',
    default: 'Default',
    minimum: 'Minimum',
    maximum: 'Maximum',
    minLength: 'Minimum length',
    maxLength: 'Maximum length',
    minItems: 'Minimum number of items',
    maxItems: 'Maximum number of items',
    uniqueItems: 'Distinct items',
    minProperties: 'Minimum number of members',
    maxProperties: 'Maximum number of members',
    pattern: 'Pattern',
    contentMediaType: 'Media type',
  },
}

const ar: typeof en = {
  title: 'مرجع الواجهة البرمجية',
  menu: 'المحتويات',
  operations: 'العمليات',
  token: 'برمز وصول',
  requestExample: 'مثال على طلب',
  responseExample: 'مثال على استجابة',
  schemas: 'المخططات',
  webhook: 'إشعار',
  deprecated: 'مهملة',
  required: 'مطلوب',
  optional: 'اختياري',
  parameters: 'المعاملات',
  requestBody: 'محتوى الطلب',
  responses: 'الاستجابات',
  conditions: 'الشروط:',
  parameterHead: ['الاسم', 'المكان', 'النوع', 'الوصف'],
  bodyHead: ['نوع المحتوى', 'المخطط'],
  responseHead: ['الحالة', 'الوصف', 'المحتوى'],
  memberHead: ['العنصر', 'النوع', 'الوصف'],
  valueHead: ['القيمة', 'المعنى'],
  or: 'أو',
  arrayOf: 'قائمة من',
  mapOf: 'خريطة من',
  places: { query: 'الاستعلام', path: 'المسار', header: 'الترويسة' },
  limits: {
    enum: 'إحدى القيم',
    const: 'القيمة دائماً',
    default: 'القيمة الافتراضية',
    minimum: 'أصغر قيمة',
    maximum: 'أكبر قيمة',
    minLength: 'أقل عدد من الأحرف',
    maxLength: 'أكبر عدد من الأحرف',
    minItems: 'أقل عدد من العناصر',
    maxItems: 'أكبر عدد من العناصر',
    uniqueItems: 'العناصر لا تتكرر',
    minProperties: 'أقل عدد من العناصر',
    maxProperties: 'أكبر عدد من العناصر',
    pattern: 'النمط',
    contentMediaType: 'نوع المحتوى',
  },
}

export const REFERENCE_WORDS = { en, ar }

/** The attributes of an English text on a page in another language */
const ENGLISH = { lang: 'en', dir: DIRECTIONS.en } as const

/** Whether a text of the Arabic edition has no translation: it has English words beside code, names and links, and no Arabic. */
export function isUntranslated(text: string, language: Language): boolean {
  if (language === 'en' || /\p{Script=Arabic}/u.test(text)) return false
  const words = text.replaceAll(/`[^`]*`|\]\([^)]*\)/g, ' ')
  return /[A-Za-z]{2,}[^A-Za-z]+[a-z]{2,}/.test(words)
}

/** Returns a text for HTML, marked if it has no translation. */
export function renderWords(text: string, language: Language): string {
  const html = escape(text)
  return isUntranslated(text, language) ? `<span lang="${ENGLISH.lang}" dir="${ENGLISH.dir}">${html}</span>` : html
}

/** Descriptions begin with headings of this level, which become that below their section. */
const FIRST_LEVEL = 3

/** Returns a function that renders Markdown of the document, with links that work on the page. */
export function textRenderer(path: string, language: Language): RenderText {
  const markdown = newMarkdown()
  markdown.core.ruler.push('reference', ({ tokens, env }) => {
    changeLevels(tokens, (env as { section: number }).section)
    markUntranslated(tokens, language)
  })
  const relink = (_: string, target: string, anchor = ''): string =>
    `](${linkFrom(path, `${target}index.html`)}${anchor})`
  return (text, section = 3) =>
    markdown.render(text.replaceAll(/\]\((\/docs\/[^)#]*)(#[^)]*)?\)/g, relink), { section })
}

/** Puts headings below the one of their section, which has this level. */
function changeLevels(tokens: Token[], section: number): void {
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
