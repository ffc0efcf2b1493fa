// The marks of personal data, and the table of their categories. openapi/personal-data.yaml has both.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Language } from '../../../src/messages/index.ts'
import { FIELD_LABELS, type Group } from '../form-labels.ts'
import { isObject, type Document } from './openapi.ts'

type Texts = Readonly<Record<Language, string>>

export type PersonalData = Readonly<{
  head: Texts
  purposes: Record<string, Texts>
  /** The properties include the fields of the groups */
  categories: Record<string, Texts & { purpose: string; groups?: Group[]; properties: string[] }>
  impersonal: string[]
  containers: string[]
}>

export function readPersonalData(folder: string): PersonalData {
  const data = parse(readFileSync(`${folder}/personal-data.yaml`, 'utf8')) as PersonalData
  for (const category of Object.values(data.categories)) {
    const fields = Object.entries(FIELD_LABELS).filter(([, { group }]) => category.groups?.includes(group))
    category.properties = [...category.properties, ...fields.map(([name]) => name)]
  }
  return data
}

export function markPersonalData({ components }: Document, { categories, impersonal, containers }: PersonalData): void {
  const isImpersonal = new RegExp(`^(?:${impersonal.join('|')})$`)
  const marks = new Map(
    Object.entries(categories).flatMap(([category, { purpose, properties }]) =>
      properties.map((name) => [name, { category, purpose }] as const),
    ),
  )
  const unused = new Set(marks.keys())
  const mark = (owner: string, schema: unknown): void => {
    if (!isObject(schema)) return
    for (const [name, property] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
      if (isImpersonal.test(`${owner}.${name}`)) continue
      const key = [`${owner}.${name}`, name].find((each) => marks.has(each))
      if (key !== undefined && isObject(property)) property['x-personal-data'] = { ...marks.get(key) }
      else if (!containers.includes(name)) throw new Error(`openapi/personal-data.yaml does not list ${owner}.${name}`)
      unused.delete(key ?? '')
      mark(name, property)
      if (isObject(property)) mark(name, property['items'])
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) mark(name, schema)
  if (unused.size > 0) throw new Error(`openapi/personal-data.yaml lists unknown properties: ${[...unused].join(', ')}`)
}

/** Replaces the placeholder in the description of a tag by the table of the categories. */
export function writeOutCategories({ tags }: Document, data: PersonalData, language: Language): void {
  const rows = Object.entries(data.categories).map(
    ([name, { purpose, ...texts }]) =>
      `| \`${name}\` | ${texts[language]} | \`${purpose}\`: ${data.purposes[purpose]?.[language] ?? ''} |`,
  )
  const table = [data.head[language], '|---|---|---|', ...rows].join('\n')
  for (const tag of tags) tag.description = tag.description.replace('{{personal_data}}', () => table)
}
