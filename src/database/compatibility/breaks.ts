import type { Schema, Table } from './schema.ts'

/**
 * Lists what statements of a version would miss or violate on another schema: removed and renamed tables and columns,
 * other types, and new conditions for rows.
 *
 * @param before the schema of the version, with the columns that its statements use
 */
export function findBreaks(before: Schema, after: Schema): string[] {
  const tables = Object.entries(before.tables).flatMap(([name, table]) => {
    const found = after.tables[name]
    return found ? tableBreaks(table, found).map((text) => `${name}: ${text}`) : [`${name}: the table is missing`]
  })
  const enums = Object.entries(before.enums).flatMap(([name, labels]) => {
    const removed = labels.filter((label) => !after.enums[name]?.includes(label))
    return removed.map((label) => `${name}: the value ${label} is missing`)
  })
  return [...tables, ...enums]
}

function tableBreaks(before: Table, after: Table): string[] {
  const added = after.constraints.filter((name) => !before.constraints.includes(name))
  return [
    ...Object.keys(before.columns).flatMap((name) => columnBreaks(name, before, after)),
    ...requiredColumns(before, after).map((name) => `the new column ${name} is required and has no default`),
    ...newKeys(before, after).map((columns) => `${columns} has become unique`),
    ...lostKeys(before, after).map((columns) => `${columns} is no longer unique`),
    ...added.map((name) => `the constraint ${name} is new`),
  ]
}

function columnBreaks(name: string, before: Table, after: Table): string[] {
  const [old, found] = [before.columns[name], after.columns[name]]
  if (!old) return []
  if (!found) return [`the column ${name} is missing`]
  return [
    ...(accepts(found.type, old.type) ? [] : [`the column ${name} was ${old.type} and is ${found.type}`]),
    ...(found.isRequired && !old.isRequired ? [`the column ${name} has become required`] : []),
    ...(old.hasDefault && !found.hasDefault ? [`the column ${name} has no default any more`] : []),
  ]
}

/** Returns whether a type has all values of another one, in the same form for programs. */
function accepts(type: string, old: string): boolean {
  const [, oldLength] = /^character varying\((\d+)\)$/.exec(old) ?? []
  if (oldLength === undefined) return type === old
  const [, length = '0'] = /^character varying\((\d+)\)$/.exec(type) ?? []
  return type === 'text' || type === 'character varying' || Number(length) >= Number(oldLength)
}

function requiredColumns(before: Table, after: Table): string[] {
  return Object.entries(after.columns)
    .filter(([name, { isRequired, hasDefault }]) => !before.columns[name] && isRequired && !hasDefault)
    .map(([name]) => name)
}

function newKeys({ columns, keys }: Table, after: Table): string[] {
  const known = new Set(keys.map((key) => JSON.stringify(key)))
  const isOfColumn = (column: string): boolean => !after.columns[column] || columns[column] !== undefined
  return after.keys
    .filter((key) => !known.has(JSON.stringify(key)) && key.columns.every(isOfColumn) && !isWeaker(key, keys))
    .map((key) => key.columns.join(', '))
}

/** Returns whether rows that an older key allows are allowed by this one, too. */
function isWeaker(key: Table['keys'][number], older: Table['keys']): boolean {
  return older.some(({ columns, where }) => where === null && columns.every((column) => key.columns.includes(column)))
}

/** A key of more columns counts, because a key of a partitioned table includes the column of the partitions. */
function lostKeys(before: Table, { keys }: Table): string[] {
  const isLeft = ({ columns, where }: Table['keys'][number]): boolean =>
    keys.some((key) => key.where === where && columns.every((column) => key.columns.includes(column)))
  return before.keys.filter((key) => !isLeft(key)).map(({ columns }) => columns.join(', '))
}
