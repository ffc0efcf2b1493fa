import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ClientBase } from 'pg'
import { transact } from './transaction.ts'

const DIRECTORY = new URL('../../../prisma/reference/', import.meta.url)

/** The tables with a file in prisma/reference, parents first. File names have `-` instead of `_`. */
export const REFERENCE_TABLES = [
  'countries',
  'regions',
  'cities',
  'nationalities',
  'languages',
  'degrees',
  'general_specialties',
  'accurate_specialties',
  'functional_cases',
  'digital_guide_categories',
  'digital_guide_sections',
] as const

type ReferenceTable = (typeof REFERENCE_TABLES)[number]

/** Writes the rows of prisma/reference, unless the tables already have this state. */
export async function loadReference(client: ClientBase): Promise<void> {
  const { texts, checksum } = readFiles()
  if ((await loadedChecksum(client)) === checksum) return

  await transact(client, async () => {
    await client.query('LOCK TABLE reference_state IN EXCLUSIVE MODE')
    await client.query('INSERT INTO reference_state (id, checksum) VALUES (1, $1) ON CONFLICT DO NOTHING', [checksum])
    for (const [table, text] of texts) await writeRows(client, table, text)
    await client.query('UPDATE reference_state SET checksum = $1', [checksum])
  })
}

/** Returns whether the tables have the rows of prisma/reference. */
export async function isReferenceCurrent(client: ClientBase): Promise<boolean> {
  return (await loadedChecksum(client)) === readFiles().checksum
}

function readFiles(): { texts: (readonly [ReferenceTable, string])[]; checksum: string } {
  const texts = REFERENCE_TABLES.map((table) => {
    const file = new URL(`${table.replaceAll('_', '-')}.json`, DIRECTORY)
    return [table, readFileSync(file, 'utf8')] as const
  })
  return { texts, checksum: createHash('sha256').update(JSON.stringify(texts)).digest('hex') }
}

async function loadedChecksum(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ checksum: string }>('SELECT checksum FROM reference_state')
  return rows[0]?.checksum
}

/** Inserts or updates the rows of a table. A row is active unless its file sets `active`. */
async function writeRows(client: ClientBase, table: ReferenceTable, text: string): Promise<void> {
  const rows = (JSON.parse(text) as object[]).map((row) => ({ active: true, ...row }))
  const columns = Object.keys(rows[0] ?? {})
  const updates = columns.filter((column) => column !== 'id').map((column) => `${column} = EXCLUDED.${column}`)
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1)
     ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    [JSON.stringify(rows)],
  )
}
