// Each migration since the last release, with the statements of the release before it and those of this version after it.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg, { type ClientBase } from 'pg'
import t from 'tap'
import { COLUMNS } from '../../generated/columns.ts'
import { planError } from '../../scripts/baseline/statements.ts'
import { readBaseline } from '../../src/database/compatibility/schema.ts'
import { openEngine } from '../../src/database/embedded/engine.ts'
import { TEMPLATE } from '../../src/database/embedded/index.ts'
import { WireSocket } from '../../src/database/embedded/thread.ts'
import { readMigrations, MIGRATIONS } from '../../src/database/migrations/files.ts'
import { migrate } from '../../src/database/migrations/index.ts'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import { tryRows } from '../support/cases/sample-rows.ts'
import { folderWith } from '../support/processes/migrations.ts'
import { temporaryFolder } from '../support/processes/process.ts'
import { emptyOwnDatabase } from '../support/service/databases.ts'

const CELLS_IN_SAMPLE = 28
const WRITES = /^(?:INSERT|UPDATE|DELETE)\b|\b(?:INSERT INTO|UPDATE "?\w+"?(?: \w+)? SET|DELETE FROM)\b/i

const baseline = readBaseline()
const released = JSON.parse(readFileSync('prisma/released/statements.json', 'utf8')) as string[]
const all = readMigrations(MIGRATIONS)
const names = all.map(({ name }) => name)
const since = names.filter((name) => !baseline.migrations.includes(name))

const AXES = {
  migration: since,
  work: ['old reads', 'old writes', 'new reads', 'new writes'],
  engine: ['PostgreSQL', 'embedded'],
} as const
type Work = (typeof AXES)['work'][number]
type Engine = (typeof AXES)['engine'][number]

const isWrite = (text: string): boolean => WRITES.test(text)
const tables = Object.entries<readonly string[]>(COLUMNS)
const list = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

/** Runs the statements that a version sends, and returns those that succeed. */
const WORK: Record<Work, (client: ClientBase) => Promise<string[]>> = {
  'old reads': (client) =>
    planned(
      client,
      released.filter((text) => !isWrite(text)),
    ),
  'old writes': async (client) => [
    ...(await planned(client, released.filter(isWrite))),
    ...(await tryRows(client, baseline.schema)),
  ],
  'new reads': (client) =>
    planned(
      client,
      tables.map(([table, columns]) => `SELECT ${list(columns)} FROM "${table}"`),
    ),
  'new writes': (client) =>
    planned(
      client,
      tables.flatMap(([table, columns]) => [
        `INSERT INTO "${table}" (${list(columns)}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
        `UPDATE "${table}" SET ${columns.map((column) => `"${column}" = "${column}"`).join(', ')}`,
        `DELETE FROM "${table}"`,
      ]),
    ),
}

async function planned(client: ClientBase, statements: readonly string[]): Promise<string[]> {
  const valid: string[] = []
  for (const text of statements) if ((await planError(client, text)) === undefined) valid.push(text)
  return valid
}

type Opened = Readonly<{ client: ClientBase; close: () => Promise<void> }>

const ENGINES: Record<Engine, () => Promise<Opened>> = {
  async PostgreSQL() {
    const { directUrl, drop } = await emptyOwnDatabase()
    const client = new pg.Client({ connectionString: directUrl })
    await client.connect()
    return { client, close: () => client.end().then(drop) }
  },
  async embedded() {
    const folder = join(temporaryFolder(), 'database')
    cpSync(TEMPLATE, folder, { recursive: true })
    const engine = await openEngine(folder)
    const client = new pg.Client({ user: 'postgres', stream: () => new WireSocket(engine) })
    await client.connect()
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public') // the template has all migrations
    return { client, close: () => client.end().then(() => engine.close()) }
  },
}

/** Applies the migrations up to one of them. */
async function migrateTo(client: ClientBase, last: string): Promise<void> {
  const wanted = all.filter(({ name }) => name <= last)
  await migrate(client, folderWith(Object.fromEntries(wanted.map(({ name, sql }) => [name, sql]))))
}

const cells = matrixCells(AXES, CELLS_IN_SAMPLE)

void t.test('the release before the migrations runs', async (t) => {
  t.ok(since.length > 0 && released.length > 100)
  const { client, close } = await ENGINES.embedded()
  t.teardown(close)
  await migrateTo(client, baseline.migrations.at(-1) ?? '')
  t.same(
    await WORK['old reads'](client),
    released.filter((text) => !isWrite(text)),
  )
  const inserted = (await tryRows(client, baseline.schema)).filter((name) => name.endsWith('insert'))
  t.ok(inserted.length >= Object.keys(baseline.schema.tables).length - 2, `rows of ${inserted.length} tables`)
})

for (const engine of AXES.engine) {
  const skip = engine === 'PostgreSQL' && process.env['DATABASE_URL'] === undefined && 'needs a real PostgreSQL'
  void t.test(engine, { skip }, async (t) => {
    const { client, close } = await ENGINES[engine]()
    t.teardown(close)
    await migrateTo(client, baseline.migrations.at(-1) ?? '')
    const release = { 'old reads': await WORK['old reads'](client), 'old writes': await WORK['old writes'](client) }
    for (const name of since) {
      const own = cells.filter((cell) => cell.engine === engine && cell.migration === name)
      const before = await worksBefore(own, client)
      await migrateTo(client, name)
      for (const cell of own) {
        const works = await WORK[cell.work](client)
        const expected =
          cell.work === 'old reads' || cell.work === 'old writes' ? release[cell.work] : before(cell.work)
        t.same(
          expected.filter((text) => !works.includes(text)),
          [],
          cellName(cell),
        )
      }
    }
    for (const work of ['new reads', 'new writes'] as const) {
      const count = work === 'new reads' ? tables.length : tables.length * 3
      t.equal((await WORK[work](client)).length, count, `${work} after all migrations`)
    }
  })
}

/** Returns which new statements work already: a migration must not break what an earlier one has made possible. */
async function worksBefore(own: readonly Cell<typeof AXES>[], client: ClientBase): Promise<(work: Work) => string[]> {
  const found = new Map<Work, string[]>()
  for (const { work } of own) if (work.startsWith('new')) found.set(work, await WORK[work](client))
  return (work) => found.get(work) ?? []
}
