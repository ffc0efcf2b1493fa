import { LIMITS } from '../../generated/limits.ts'
import type { Bearer } from '../domain/account.ts'
import type { AccountCopy, PastEvent } from '../domain/account-copy.ts'
import { isFileType, type KeptFile } from '../domain/file.ts'
import type { SessionRow } from '../domain/session.ts'
import type { Database } from './database.ts'
import { WHOLE_PROFILE } from './profile-columns.ts'

export type Copies = {
  /**
   * All that is kept of the account behind a token, as it was at one moment; undefined when the session has ended or the
   * account may not be used.
   */
  of(bearer: Bearer): Promise<AccountCopy | undefined>
}

/** The rows of a query as JSON, in its order. */
const rowsOf = (query: string): string => `(SELECT coalesce(json_agg(r), '[]') FROM (${query}) r)`

const FILES = rowsOf(`
  SELECT kind, key, type, bytes, created_at AS "uploadedAt" FROM files WHERE account_id = a.id ORDER BY kind`)

const SESSIONS = rowsOf(`
  SELECT id, user_agent AS "userAgent", address, created_at AS "createdAt", refreshed_at AS "refreshedAt",
    ended_at AS "endedAt"
  FROM sessions WHERE account_id = a.id ORDER BY refreshed_at DESC, id LIMIT ${LIMITS.export.sessions}`)

/** What an operator does on the server has no actor, and names the command line. */
const BY_ADMINISTRATOR = `(actor_id IS NOT NULL OR coalesce(subject = 'command line', FALSE))`
/** What a review found, the ids of other accounts among it, is for administrators. */
const SUBJECT = `CASE WHEN event NOT IN ('lawyer_approved', 'lawyer_rejected') THEN subject END`
const EVENTS = rowsOf(`
  SELECT at, event, ${SUBJECT} AS subject, CASE WHEN NOT ${BY_ADMINISTRATOR} THEN address END AS address,
    ${BY_ADMINISTRATOR} AS "isByAdministrator"
  FROM audit_events WHERE account_id = a.id ORDER BY at DESC, id DESC LIMIT ${LIMITS.export.events}`)

/** One statement, and so one moment. */
const COPY = `
  SELECT ${WHOLE_PROFILE}, a.status, a.created_at AS "createdAt",
    ${FILES} AS "keptFiles", ${SESSIONS} AS sessions, ${EVENTS} AS events
  FROM accounts a JOIN profiles p ON p.account_id = a.id JOIN sessions s ON s.account_id = a.id
  WHERE a.id = $1 AND s.id = $2 AND s.ended_at IS NULL AND a.status = 'active'`

/** Times in JSON are texts. */
type Told<Row> = { [Name in keyof Row]: Date extends Row[Name] ? string | Extract<Row[Name], null> : Row[Name] }
type CopyRow = Omit<AccountCopy, 'keptFiles' | 'sessions' | 'events'> & {
  keptFiles: (KeptFile & { uploadedAt: string })[]
  sessions: Told<SessionRow & { endedAt: Date | null }>[]
  events: Told<PastEvent>[]
}

export function copies({ pool }: Database): Copies {
  return {
    async of({ accountId, sessionId }) {
      const [row] = (await pool.query<CopyRow>(COPY, [accountId, sessionId])).rows
      if (!row) return undefined
      return {
        ...row,
        keptFiles: row.keptFiles.map((file) => ({ ...known(file), uploadedAt: new Date(file.uploadedAt) })),
        sessions: row.sessions.map((session) => ({
          ...session,
          createdAt: new Date(session.createdAt),
          refreshedAt: new Date(session.refreshedAt),
          endedAt: session.endedAt === null ? null : new Date(session.endedAt),
        })),
        events: row.events.map((event) => ({ ...event, at: new Date(event.at) })),
      }
    },
  }
}

function known(file: KeptFile): KeptFile {
  if (!isFileType(file.type)) throw new Error(`a file has a type that is not kept: ${String(file.type)}`)
  return file
}
