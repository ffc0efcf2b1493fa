// Every SQL text of the sources on the migrated tables. Texts are prepared, which looks up their tables and columns. A part of
// a statement that needs the other parts, or that is composed of arguments, must at least have known names.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { recordTexts, type Sources } from '../support/statements/record.ts'
import { fixedText, sitesOf } from '../support/statements/sites.ts'
import { openWorld, type World } from '../support/service/world.ts'

type Pool = World['service']['database']['pool']

const SOURCES = /^(?:database|store)\/.*\.ts$/
/** What runs before there are tables */
const BEFORE_TABLES = /^database\/(?:migrations|connection|embedded)\//

function readSources(): Sources {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const own = paths.filter((path) => SOURCES.test(path) && !BEFORE_TABLES.test(path))
  const all = own.map((path) => {
    const source = ts.createSourceFile(path, readFileSync(join('src', path), 'utf8'), ts.ScriptTarget.Latest, true)
    return [resolve('src', path), { source, sites: sitesOf(path, source) }] as const
  })
  return new Map(all.filter(([, { sites }]) => sites.length > 0))
}

/** SQLSTATE of an unknown table or alias, which can be a part of the whole statement, and of a part that is no statement */
const OF_PARTS = ['42P01', '42601']
/** SQLSTATE of a parameter of unknown type, which PostgreSQL looks for after everything else */
const UNKNOWN_TYPE = '42P18'

/**
 * Prepares a text: as a statement, as a part that refers to the account of a change, or as a column.
 *
 * @returns `prepared`, `part` if it refers to other parts, or the error
 */
async function prepare(pool: Pool, text: string): Promise<string> {
  const forms = [text, `WITH target AS (SELECT NULL::int AS account_id) ${text}`, `SELECT ${text}`]
  const errors: Readonly<{ code?: string; message: string }>[] = []
  for (const form of forms) {
    const sql = `PREPARE text AS ${form}`
    const error = await pool.query(`${sql}; DEALLOCATE text`).then(
      () => undefined,
      (thrown: unknown) => thrown as Error & { code?: string },
    )
    if (!error || error.code === UNKNOWN_TYPE) return 'prepared'
    errors.push(error)
  }
  return errors.find(({ code = '' }) => !OF_PARTS.includes(code))?.message ?? 'part'
}

/** Returns the names that the database knows: of tables, columns, functions and their parameters, types and keywords. */
async function databaseNames(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    SELECT relname::text AS name FROM pg_class UNION SELECT attname FROM pg_attribute UNION SELECT proname FROM pg_proc
    UNION SELECT unnest(proargnames) FROM pg_proc UNION SELECT typname FROM pg_type UNION SELECT word FROM pg_get_keywords()`)
  return rows.map(({ name }) => name)
}

/** Names that a statement introduces: of a part, a column or an alias, and of its columns */
const INTRODUCED = [
  /\b(\w+)(?: ?\(([\w,\s]+)\))? AS (?:NOT )?(?:MATERIALIZED )?\(/g,
  /\bAS (\w+)(?: ?\(([\w,\s]+)\))?/g,
]

function introducedNames(source: string): string[] {
  const found = [...INTRODUCED, /\bname: '(\w+)'/g].flatMap((pattern) => [...source.matchAll(pattern)])
  return found.flatMap(([, name = '', columns = '']) => [
    name,
    ...columns.split(',').map((each) => each.trim().split(' ')[0] ?? ''),
  ])
}

/** Returns the names of a text that neither the database nor the sources know. Aliases have at most two letters. */
function unknownNames(text: string, known: ReadonlySet<string>): string[] {
  const names = text.replaceAll(/'[^']*'|"[^"]*"/g, ' ').match(/\b[a-z_][a-z0-9_]{2,}\b/g) ?? []
  return names.filter((name) => !known.has(name))
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

void t.test('prepares every SQL text on the migrated tables', async (t) => {
  const { pool } = (await openWorld()).service.database
  const sources = readSources()
  const sites = [...sources.values()].flatMap((each) => each.sites)
  const recorded = [...(await recordTexts(sources))].flatMap(([place, texts]) =>
    [...texts].map((text) => ({ place, text })),
  )
  const tried: { place: string; text: string; outcome: string }[] = []
  for (const each of recorded) tried.push({ ...each, outcome: await prepare(pool, each.text) })
  for (const { place, outcome } of tried) t.ok(outcome === 'prepared' || outcome === 'part', `${place}: ${outcome}`)
  const prepared = tried.filter(({ outcome }) => outcome === 'prepared').map(({ text }) => flat(text))
  t.ok(prepared.length > 150, `${prepared.length} texts are prepared`)

  const parts = tried.filter(({ outcome }) => outcome === 'part')
  const alone = parts.filter(({ text }) => !prepared.some((all) => all.includes(flat(text))))
  const composed = sites.filter(({ place }) => !recorded.some((each) => each.place === place))
  t.ok(
    alone.length + composed.length < 60,
    `${alone.length} parts and ${composed.length} composed texts have known names`,
  )
  const introduced = [...sources.values()].flatMap(({ source }) => introducedNames(source.text))
  const known = new Set([...(await databaseNames(pool)), ...introduced, 'excluded'])
  for (const { place, text } of alone) t.same(unknownNames(text, known), [], place)
  for (const { place, node } of composed) t.same(unknownNames(fixedText(node), known), [], place)
})
