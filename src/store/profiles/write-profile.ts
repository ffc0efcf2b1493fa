// The rows of a profile. A new field does not compile until it has a column and is written here.
import { isDeepStrictEqual } from 'node:util'
import { column, query, type Column, type Columns, type Driver } from '../../database/sql.ts'
import {
  assignments,
  runComposed,
  withParts,
  differs,
  insertion,
  overwrites,
  type Bind,
  type Part,
} from '../../database/composed.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { AuditEvent } from '../../domain/audit/audit-context.ts'
import type { FileKind, FileObject } from '../../domain/files/file.ts'
import type { NewMail } from '../../domain/mail.ts'
import type { DomainEvent } from '../../domain/event.ts'
import type { Person, LawyerDetails, ProfileChange, Lawyer } from '../../domain/profiles/profile.ts'
import { recordParts } from '../changes.ts'
import type { OutboxOptions } from '../events/outbox.ts'
import { IS_ACTIVE } from '../sessions/state.ts'
import type {
  Account,
  File as FileModel,
  LawyerProfile,
  Profile as PersonModel,
} from '../../../generated/prisma/client.ts'

/** The rows that a change of a profile writes. */
export type ProfileWrite = FileChanges &
  Readonly<{
    account: AccountFields
    person: Person
    lawyer: LawyerWrite | undefined
    auditEvents: readonly AuditEvent[]
    domainEvents: readonly DomainEvent[]
    outbox: OutboxOptions
    mails: readonly NewMail[]
  }>

type Written = Replaced & Readonly<{ version: number }>

/**
 * Writes a change of a profile with its audit events, webhook events and e-mails in one statement, if the account still has
 * the version that the change was decided for.
 *
 * The statement locks the account and the session. If it waits for a lock, it reads these two rows again, but other rows
 * as they were at its start. They are current nevertheless, because every change of them increments the version.
 *
 * @param version the version of the profile that the change was decided for
 * @returns the version after the change; undefined if nothing was written, because the profile has another version, the
 * session has ended, or the account is suspended
 */
export async function writeProfile(
  driver: Driver,
  bearer: Bearer,
  version: number,
  write: ProfileWrite,
): Promise<Written | undefined> {
  return runComposed(driver, (bind) => {
    const changes = changeParts(write, bind)
    const parts = withParts([targetPart(bearer, version, bind), ...changes, ...recordParts(write, write.outbox, bind)])
    const columns = { ...replacedColumns(write), version: countVersion(changes) }
    return query<Written>(columns, (list) => `${parts} SELECT ${list} FROM target`)
  })
}

/**
 * Returns the version after the statement. The triggers of the migration profile_version run later: they increment it once
 * for each part that has changed rows, and those parts return rows. They do not count the first data of a lawyer.
 */
function countVersion(changes: readonly Part[]): Column<number> {
  const counted = changes.filter(({ name }) => name !== NEW_LAWYER)
  const increments = counted.map(({ name }) => `EXISTS (SELECT FROM ${name})::int`)
  return column(['profile_version', ...increments].join(' + '))
}

function targetPart({ accountId, sessionId }: Bearer, version: number, bind: Bind): Part {
  const account = `a.id = ${bind(accountId)} AND a.profile_version = ${bind(version)}`
  const session = `s.id = ${bind(sessionId)}::uuid AND ${IS_ACTIVE}`
  const sql = `
    SELECT a.id AS account_id, a.profile_version FROM accounts a JOIN sessions s ON s.account_id = a.id
    WHERE ${account} AND ${session} FOR UPDATE OF a, s`
  return { name: 'target', sql }
}

/** The columns of the account and of the person have the names of the fields. */
function changeParts(write: ProfileWrite, bind: Bind): Part[] {
  const account: WrittenRow<AccountFields, Account> = write.account
  const person: WrittenRow<Person, PersonModel> = write.person
  return [
    changePart('account', { table: 'accounts', key: 'id', row: account }, bind),
    changePart('person', { table: 'profiles', key: 'account_id', row: person }, bind),
    ...(write.lawyer ? lawyerParts(write.lawyer, bind) : []),
    ...fileParts(write, bind),
  ]
}

/** Returns an update that changes the row of the account if it differs, and returns a row if it does. */
function changePart(name: string, { table, key, row }: { table: string; key: string; row: object }, bind: Bind): Part {
  const { set, changes } = assignments('r', { ...row }, bind)
  const sql = `UPDATE ${table} r SET ${set} FROM target t WHERE r.${key} = t.account_id AND (${changes}) RETURNING 1`
  return { name, sql }
}

/** The fields with the types of their columns. A field without a column has the type never, so it does not compile. */
export type WrittenRow<Fields, Model> = { [Field in keyof Fields]-?: Field extends keyof Model ? Model[Field] : never }

/** The fields of an account that every update writes. The phone number and the password have statements of their own. */
type AccountFields = Omit<ProfileChange['account'], 'phone' | 'passwordHash'>

/** Returns the columns of a lawyer. Licences and languages have separate tables. */
export function toLawyerRow(
  lawyer: LawyerDetails,
): WrittenRow<Omit<LawyerDetails, 'licences' | 'languages'>, LawyerProfile> {
  const { licences: _, languages: __, birthDate, ...row } = lawyer
  const { year, month, day } = birthDate
  return { ...row, birthDate: new Date(Date.UTC(year, month - 1, day)) }
}

/** The data of a lawyer, with what is stored of it. */
type LawyerWrite = Readonly<{
  details: LawyerDetails
  stored: Lawyer | undefined
  /** Whether the change makes the lawyer pending again */
  isReset: boolean
}>

/** The part that inserts the first data of a lawyer */
const NEW_LAWYER = 'new_lawyer'

/**
 * Returns the parts of a statement that write the data of the account in its part `target`. Licences and languages are
 * replaced if they differ from the stored ones.
 */
function lawyerParts(write: LawyerWrite, bind: Bind): Part[] {
  const { details, stored } = write
  const languages = [...details.languages].sort((a, b) => a - b)
  return [
    { name: stored ? 'lawyer' : NEW_LAWYER, sql: lawyerSql(write, bind) },
    ...(isDeepStrictEqual({ ...details.licences }, stored?.licences ?? {}) ? [] : licenceParts(details, bind)),
    ...(isDeepStrictEqual(languages, stored?.languages ?? []) ? [] : languageParts(details, bind)),
  ]
}

const PENDING = `review_status = 'pending', review_reason = NULL, review_version = l.review_version + 1`

/** Returns an upsert that returns a row if it has changed an existing one. */
function lawyerSql(write: LawyerWrite, bind: Bind): string {
  const row = toLawyerRow(write.details)
  const { columns, values } = insertion(row, bind)
  const insert = `INSERT INTO lawyer_profiles AS l (account_id, ${columns}) SELECT account_id, ${values} FROM target`
  if (!write.stored) return `${insert} ON CONFLICT (account_id) DO UPDATE SET ${overwrites(row)}`
  const change = write.isReset ? `, ${PENDING}` : ` WHERE ${differs('l', row)}`
  return `${insert} ON CONFLICT (account_id) DO UPDATE SET ${overwrites(row)}${change} RETURNING 1`
}

function licenceParts({ licences }: LawyerDetails, bind: Bind): Part[] {
  const [ids, numbers] = [bind(Object.keys(licences).map(Number)), bind(Object.values(licences))]
  return replacement('lawyer_licences', 'section_id, licence_no', `${ids}::int[], ${numbers}::text[]`)
}

function languageParts({ languages }: LawyerDetails, bind: Bind): Part[] {
  return replacement('lawyer_languages', 'language_id', `${bind(languages)}::int[]`)
}

/**
 * Returns the parts that replace the rows of a table by new ones, whose columns are given as arrays. The count makes the insert
 * run after the deletion, because the new rows may have the keys of deleted ones.
 */
function replacement(table: string, columns: string, arrays: string): Part[] {
  const dropped = `dropped_${table}`
  const added = `
    INSERT INTO ${table} (account_id, ${columns})
    SELECT t.account_id, n.* FROM target t, unnest(${arrays}) AS n
    WHERE (SELECT count(*) FROM ${dropped}) >= 0 RETURNING 1`
  return [
    { name: dropped, sql: `DELETE FROM ${table} l USING target t WHERE l.account_id = t.account_id RETURNING 1` },
    { name: `added_${table}`, sql: added },
  ]
}

/** Files that get a row, and kinds whose rows are deleted. */
type FileChanges = Readonly<{ files: readonly FileObject[]; removedFiles: readonly FileKind[] }>

/** The keys that no row has any more, and the ids of the new files */
type Replaced = Readonly<{ replaced: string[]; newFiles: Partial<Record<FileKind, string>> }>

/**
 * Returns the parts of a statement that change the files of the account in its part `target`.
 * Each file gets a new id, so that a link never returns other content than it was created for.
 */
function fileParts({ files, removedFiles }: FileChanges, bind: Bind): Part[] {
  const kinds = [...files.map(({ kind }) => kind), ...removedFiles]
  if (kinds.length === 0) return []
  const dropped = `DELETE FROM files f USING target t WHERE f.account_id = t.account_id
    AND f.kind = ANY (${bind(kinds)}::"FileKind"[]) RETURNING f.key`
  if (files.length === 0) return [{ name: 'dropped_files', sql: dropped }]
  const fields = Object.keys(FILE_COLUMNS) as (keyof FileObject)[] // FILE_COLUMNS has exactly these keys
  const lists = fields.map((field) => `${bind(files.map((file) => file[field]))}::${FILE_COLUMNS[field]}[]`)
  // The count makes the insert run after the deletion, because a kind has one row.
  const added = `
    INSERT INTO files (account_id, ${fields.join(', ')})
    SELECT t.account_id, n.* FROM target t, unnest(${lists.join(', ')}) AS n
    WHERE (SELECT count(*) FROM dropped_files) >= 0 RETURNING kind, id`
  return [
    { name: 'dropped_files', sql: dropped },
    { name: 'added_files', sql: added },
  ]
}

/** The types of the columns of a file, which have the names of its fields */
const FILE_COLUMNS: Readonly<Record<keyof FileObject & keyof FileModel, string>> = {
  kind: '"FileKind"',
  key: 'text',
  type: 'text',
  bytes: 'int',
}

/** Returns the columns of a statement with these parts. */
function replacedColumns({ files, removedFiles }: FileChanges): Columns<Replaced> {
  const isChanged = files.length + removedFiles.length > 0
  const newFiles = `(SELECT json_object_agg(kind, id) FROM added_files)`
  return {
    replaced: column(`${isChanged ? 'ARRAY(SELECT key FROM dropped_files)' : `'{}'`}::text[]`),
    newFiles: column(files.length > 0 ? newFiles : `'{}'::json`),
  }
}
