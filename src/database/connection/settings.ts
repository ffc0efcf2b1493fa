// The settings of sessions that the statements of the service assume. A role, a database or a server can have others.
import type pg from 'pg'
import { down, wrong, type Finding } from '../../lib/startup-error.ts'

type Setting = Readonly<{
  value: string
  /** Other values that are right, too */
  accepts?: RegExp
  /** Whether results are wrong or requests fail with another value. Otherwise, it costs time or safety. */
  isRequired?: boolean
  /** Not set at the start of a connection: it needs a superuser, or has a value that operators may choose */
  isOnlyChecked?: boolean
}>

const SETTINGS: Readonly<Record<string, Setting>> = {
  // Concurrent changes of an account wait for each other. With a higher level, the second one fails (40001).
  default_transaction_isolation: { value: 'read committed', accepts: /^read /, isRequired: true },
  DateStyle: { value: 'ISO, YMD', accepts: /^ISO\b/, isRequired: true },
  IntervalStyle: { value: 'postgres', isRequired: true },
  // With fewer digits, coordinates and times in seconds are rounded.
  extra_float_digits: { value: '1', accepts: /^[1-3]$/, isRequired: true },
  bytea_output: { value: 'hex', isRequired: true },
  standard_conforming_strings: { value: 'on', isRequired: true },
  array_nulls: { value: 'on', isRequired: true },
  // Otherwise, foreign keys delete and check nothing.
  session_replication_role: { value: 'origin', isRequired: true, isOnlyChecked: true },
  statement_timeout: { value: '2s', accepts: /[1-9]/, isOnlyChecked: true },
  // Otherwise, a crash of the server loses changes that were acknowledged.
  synchronous_commit: { value: 'on', accepts: /^(?!off)/, isOnlyChecked: true },
  // Compiling a statement takes longer than running it here.
  jit: { value: 'off' },
}

/** Start-up options that set what is assumed. Times are shorter in UTC, but right in any zone. */
export const SETTING_OPTIONS = [
  '-c timezone=UTC',
  ...Object.entries(SETTINGS)
    .filter(([, { isOnlyChecked }]) => isOnlyChecked !== true)
    .map(([name, { value }]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`),
].join(' ')

/** Returns which settings of its sessions the service can neither use nor change, behind a pooler for example. */
export async function checkSettings(pool: Pick<pg.Pool, 'query'>): Promise<Finding | undefined> {
  const { rows } = await pool.query<{ name: string; found: string }>(
    'SELECT name, current_setting(name) AS found FROM unnest($1::text[]) AS name',
    [Object.keys(SETTINGS)],
  )
  const wrongs = rows.filter(({ name, found }) => !isRight(SETTINGS[name], found))
  if (wrongs.length === 0) return undefined
  const { rows: roles } = await pool.query<{ name: string }>('SELECT quote_ident(current_user) AS name')
  const commands = wrongs
    .map(({ name }) => `ALTER ROLE ${roles[0]?.name ?? '…'} SET ${name} = ${quote(SETTINGS[name]?.value ?? '')}`)
    .join('; ')
  const text = `Sessions of the database lack settings of the service. Run: ${commands}.`
  return wrongs.some(({ name }) => SETTINGS[name]?.isRequired) ? wrong(text) : down(text)
}

function isRight(setting: Setting | undefined, found: string): boolean {
  return setting?.accepts?.test(found) ?? found === setting?.value
}

function quote(value: string): string {
  return /^[a-z]+$/.test(value) ? value : `'${value}'`
}
