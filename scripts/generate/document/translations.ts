// The Arabic edition of the document. openapi/ar has the translations of the texts of the sources.
import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { isObject, mapMembers, type Document } from './openapi.ts'

/** The Arabic of a text of the sources, by the exact English text */
export type Translations = ReadonlyMap<string, string>

type Pair = { en: string; ar: string }
type Change = (text: string) => string
type Grouped = Document & { 'x-tagGroups'?: { name: string; tags: string[] }[] }

const TEXTS = new Set(['description', 'summary'])
const MEANINGS = 'x-enumDescriptions'
/** Members with data, which are the same in all editions. Examples of bodies have summaries. */
const DATA = new Set(['example', 'examples', 'enum', 'const', 'default'])

/** Reads the translations. A text that two files translate differently is an error. */
export async function readTranslations(folder = 'openapi/ar'): Promise<Translations> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(names.sort().map((name) => readFile(`${folder}/${name}`, 'utf8')))
  const translations = new Map<string, string>()
  for (const { en, ar } of files.flatMap((text) => parse(text) as Pair[])) {
    const other = translations.get(en)
    if (other !== undefined && other !== ar) throw new Error(`${folder} has two translations of: ${en}`)
    translations.set(en, ar)
  }
  return translations
}

type Compared = { missing: string[]; stale: string[] }

export function compareTranslations(texts: readonly string[], translations: Translations): Compared {
  const missing = texts.filter((text) => !translations.has(text))
  return { missing, stale: [...translations.keys()].filter((text) => !texts.includes(text)) }
}

export function listTexts(source: Document): string[] {
  const texts = new Set<string>()
  changeTexts(source, (text) => {
    texts.add(text)
    return text
  })
  return [...texts]
}

/** Returns a copy of the sources in Arabic. Texts without a translation remain English. */
export function translate(source: Document, translations: Translations): Document {
  return changeTexts(source, (text) => translations.get(text) ?? text)
}

/** Returns a copy with other texts. Tags keep their names, which operations refer to, and get a title. */
function changeTexts(source: Grouped, change: Change): Document {
  const changed = changeNode(source, change) as Grouped
  return {
    ...changed,
    tags: changed.tags.map((tag) => ({ ...tag, 'x-displayName': change(tag.name) })),
    ...(changed['x-tagGroups'] && {
      'x-tagGroups': changed['x-tagGroups'].map((group) => ({ ...group, name: change(group.name) })),
    }),
  }
}

function changeNode(node: unknown, change: Change): unknown {
  if (Array.isArray(node)) return node.map((item) => changeNode(item, change))
  return isObject(node) ? mapMembers(node, (value, key) => changeMember(key, value, change)) : node
}

function changeMember(key: string, value: unknown, change: Change): unknown {
  if (key === 'examples' && isObject(value) && !Array.isArray(value))
    return mapMembers(value, (example) => {
      const isTold = isObject(example) && typeof example['summary'] === 'string'
      return isTold ? { ...example, summary: change(String(example['summary'])) } : example
    })
  if (DATA.has(key)) return value
  if (typeof value === 'string') return TEXTS.has(key) ? change(value) : value
  if (key === MEANINGS && isObject(value)) return mapMembers(value, (meaning) => change(String(meaning)))
  // The keys of properties are names of fields, whatever they are.
  if (key === 'properties' && isObject(value)) return mapMembers(value, (member) => changeNode(member, change))
  return changeNode(value, change)
}
