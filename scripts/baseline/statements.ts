import type { ClientBase } from 'pg'

/**
 * Returns the statements that read or write tables, in order. Those that differ only in the number of values count once,
 * and those that are not valid on the tables of the release are left out: tests send some of them on purpose.
 */
export async function distinctStatements(client: ClientBase, recorded: readonly string[]): Promise<string[]> {
  const byShape = new Map<string, string>()
  for (const statement of recorded) {
    const text = statement.replaceAll(/\s+/g, ' ').trim()
    const usesTables = /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)
    const shape = shapeOf(text)
    const known = byShape.get(shape)
    if (usesTables && (known === undefined || text.length < known.length)) byShape.set(shape, text)
  }
  const valid: string[] = []
  for (const text of byShape.values()) if ((await planError(client, text)) === undefined) valid.push(text)
  return valid.sort()
}

/** Replaces values, and lists of values by one value. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'|\$\d+|\b\d+\b/g, '?')
    .replaceAll(/\?(?:, ?\?)+/g, '?')
    .replaceAll(/\(\?\)(?:, ?\(\?\))+/g, '(?)')
}

/**
 * Plans a statement without running it. PostgreSQL then looks up its tables, columns, functions and types, and the index of
 * its ON CONFLICT. Returns the error; undefined if there is none.
 */
export async function planError(client: ClientBase, text: string): Promise<string | undefined> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`
  try {
    await client.query('BEGIN; SET LOCAL plan_cache_mode = force_generic_plan')
    await client.query(`PREPARE planned AS ${text}`)
    await client.query(`EXPLAIN EXECUTE planned${values}`)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('ROLLBACK')
    await client.query('DEALLOCATE ALL')
  }
}
