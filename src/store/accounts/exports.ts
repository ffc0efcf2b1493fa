import { LIMITS } from '../../../generated/limits.ts'
import type { Bearer } from '../../domain/accounts/account.ts'
import type {
  ExportedAccount,
  ExportedFile,
  ExportedSession,
  ExportedEvent,
} from '../../domain/accounts/account-export.ts'
import { Failure } from '../../domain/failure.ts'
import { isFileType } from '../../domain/files/file.ts'
import { column, narrowed, onlyIf, pick, query, queryRow, table } from '../../database/sql.ts'
import { jsonRows, jsonTime } from '../../database/json-columns.ts'
import { EXPORTED_PASSKEYS, JOIN_FACTORS, LISTED_FACTORS } from '../factors/columns.ts'
import { WHOLE_PROFILE } from '../profiles/columns.ts'
import { OF_BEARER } from '../sessions/state.ts'
import type { StoreParts } from '../changes.ts'

export type AccountExports = {
  /**
   * Returns all stored data of the account of a token, as of one point in time.
   *
   * @throws Failure 401 `token_revoked`
   */
  read(bearer: Bearer): Promise<ExportedAccount>
}

const f = table('File', 'f')
const s = table('Session', 's')
const e = table('AuditEvent', 'e')

const FILES = jsonRows<ExportedFile>(
  { kind: f.kind, key: f.key, type: narrowed(f.type), bytes: f.bytes, uploadedAt: jsonTime(f.createdAt) },
  'FROM files f WHERE f.account_id = a.id ORDER BY f.kind',
)

const SESSIONS = jsonRows<ExportedSession>(
  {
    ...pick(s, 'id', 'userAgent', 'address'),
    createdAt: jsonTime(s.createdAt),
    refreshedAt: jsonTime(s.refreshedAt),
    endedAt: jsonTime(s.endedAt),
  },
  `FROM sessions s WHERE s.account_id = a.id ORDER BY s.refreshed_at DESC, s.id LIMIT ${LIMITS.export.sessions}`,
)

/** True for an action of an administrator. An action on the command line has no actor, but a fixed subject. */
const BY_ADMINISTRATOR = `(e.actor_id IS NOT NULL OR coalesce(e.subject = 'command line', FALSE))`

const EVENTS = jsonRows<ExportedEvent>(
  {
    at: jsonTime(e.at),
    event: narrowed(e.event),
    // The findings of a review, which include the ids of other accounts, are for administrators only.
    subject: onlyIf(`e.event NOT IN ('lawyer_approved', 'lawyer_rejected')`, e.subject),
    address: onlyIf(`NOT ${BY_ADMINISTRATOR}`, e.address),
    isByAdministrator: column(BY_ADMINISTRATOR),
  },
  `FROM audit_events e WHERE e.account_id = a.id ORDER BY e.at DESC, e.id DESC LIMIT ${LIMITS.export.events}`,
)

const a = table('Account', 'a')

/** A single statement, so that all data is from the same point in time. */
const EXPORT = query<ExportedAccount>(
  {
    ...WHOLE_PROFILE,
    status: a.status,
    createdAt: a.createdAt,
    storedFiles: FILES,
    ...LISTED_FACTORS,
    passkeys: EXPORTED_PASSKEYS,
    sessions: SESSIONS,
    events: EVENTS,
  },
  (list) => `
    SELECT ${list} FROM accounts a JOIN profiles p ON p.account_id = a.id JOIN sessions s ON s.account_id = a.id
    ${JOIN_FACTORS} WHERE ${OF_BEARER}`,
)

export function accountExports({ pool }: StoreParts): AccountExports {
  return {
    async read({ accountId, sessionId }) {
      const account = await queryRow(pool, EXPORT, accountId, sessionId)
      if (!account) throw new Failure('token_revoked')
      const unknown = account.storedFiles.find(({ type }) => !isFileType(type))
      if (unknown) throw new Error(`a file has an unsupported type: ${unknown.type}`)
      return account
    },
  }
}
