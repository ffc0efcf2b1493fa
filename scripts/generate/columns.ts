import { literal } from './types.ts'

const BANNER = '// Generated from prisma/schema.prisma by `npm run generate`. Do not edit.\n\n'

const MODEL = /^model (\w+) \{\n([^]*?)^\}/gm
const FIELD = /^ {2}(\w+) +(\w+)(\[\])?\??(?: (.*))?$/gm

/** Returns the tables and their columns that the models of Prisma's schema have, as code. */
export function renderColumns(schema: string): string {
  const models = [...schema.matchAll(MODEL)].map(([, name = '', body = '']) => ({ name, body }))
  const names = new Set(models.map(({ name }) => name))
  const tables = models.map(({ name, body }) => {
    const [, table = name] = /^ {2}@@map\("(\w+)"\)/m.exec(body) ?? []
    const fields = [...body.matchAll(FIELD)].filter(([, , type = '']) => !names.has(type)) // no relations
    const columns = fields.map(([, field = '', , , rest = '']) => /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field)
    return [table, columns.sort()] as const
  })
  return `${BANNER}export const COLUMNS = ${literal(Object.fromEntries(tables))} as const\n`
}
