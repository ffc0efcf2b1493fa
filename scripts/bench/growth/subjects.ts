import type pg from 'pg'
import type { Bearer } from '../../../src/domain/accounts/account.ts'

/** An account that is measured */
export type Subject = Readonly<{ email: string; phone: string; bearer: Bearer }>

type Row = { id: number; email: string; phone: string; session: string }

const SUBJECTS = 6

/** Returns accounts with an open session, from the oldest to the newest. The first has very many ended sessions. */
export async function chooseSubjects(pool: pg.Pool, first: number, accounts: number): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (let place = 0; place < SUBJECTS; place++) {
    const { rows } = await pool.query<Row>(
      `SELECT a.id, a.email, a.phone, s.id AS session FROM accounts a JOIN sessions s ON s.account_id = a.id
       WHERE a.id >= $1 AND a.status = 'active' AND s.ended_at IS NULL AND a.deletion_due_at IS NULL
       ORDER BY a.id LIMIT 1`,
      [first + Math.floor((place * accounts * 0.99) / SUBJECTS)],
    )
    for (const { id, email, phone, session } of rows) {
      subjects.push({ email, phone, bearer: { accountId: id, sessionId: session } })
    }
  }
  return subjects
}
