// Pages of a search, beside a comparison of all accounts.
import t from 'tap'
import { parseUserSearch } from '../../src/domain/accounts/administration.ts'
import { foldText } from '../../src/domain/lookups/lookups.ts'
import { readUserPage } from '../../src/store/admin/users.ts'
import { sharedService } from '../support/service/world.ts'

const LIMIT = 100
/** More accounts than the index compares, before more than a page compares without it */
const OLD = 2600
const NEW = 1600

const service = await sharedService()
const { pool } = service.database

type Row = { id: number; name: string; email: string; phone: string; isSuspended: boolean }

async function addAccounts(): Promise<Row[]> {
  await service.asOwner(`
    WITH added AS (
      INSERT INTO accounts (email, phone, phone_code, password_hash, account_type, status)
      SELECT 'person' || n || '@example.org', '+2010' || lpad((n * 7919 % 1000000)::text, 6, '0'), '20', '', 'client',
        (CASE WHEN n % 3 = 0 THEN 'suspended' ELSE 'active' END)::"AccountStatus"
      FROM generate_series(1, ${OLD + NEW}) n ORDER BY n RETURNING id, email)
    INSERT INTO profiles (account_id, name)
    SELECT id, CASE WHEN n % 500 = 7 THEN 'نَادِرٌ ÆGIR' WHEN n <= ${OLD} THEN 'خالد القديم' ELSE 'مها الحديثة 100%' END
    FROM added, LATERAL (SELECT substring(email FROM '\\d+')::int AS n) AS number`)
  const { rows } = await pool.query<Row>(
    `SELECT id, name, email, phone, status = 'suspended' AS "isSuspended" FROM accounts JOIN profiles ON account_id = id
     ORDER BY id DESC`,
  )
  return rows
}

/** Returns the ids of all pages in order, and the number of pages. */
async function search(text: string, isSuspended: boolean): Promise<{ ids: number[]; pages: number }> {
  const filters = {
    search: parseUserSearch(text),
    status: isSuspended ? ('suspended' as const) : undefined,
    accountType: undefined,
    reviewStatus: undefined,
  }
  const ids: number[] = []
  let before: number | undefined
  for (let pages = 1; ; pages++) {
    const { users, next } = await readUserPage(pool, { ...filters, before }, LIMIT)
    ids.push(...users.map(({ id }) => id))
    if (next === undefined) return { ids, pages }
    before = next
  }
}

void t.test('finds the same accounts as a comparison of all of them', async (t) => {
  const rows = await addAccounts()
  const oldest = rows.find(({ email }) => email === 'person1@example.org')
  const texts = [
    'نادر',
    'ægir',
    'قديم',
    'حديثه',
    '%',
    '_',
    'لد',
    'x',
    '٠٧',
    '0791',
    '+20 107-9',
    'person12',
    'no such text',
  ]
  for (const text of [...texts, 'القديم خالد', 'خالد القديم', String(oldest?.id)]) {
    for (const isSuspended of [false, true]) {
      const { name: part = '', digits } = parseUserSearch(text) ?? {}
      const matching = rows.filter(
        (row) =>
          (!isSuspended || row.isSuspended) &&
          (foldText(row.name).includes(part) ||
            row.email.includes(part) ||
            (digits !== undefined && row.phone.includes(digits)) ||
            String(row.id) === part),
      )
      const { ids } = await search(text, isSuspended)
      t.same(
        ids,
        matching.map(({ id }) => id),
        `${text}, ${isSuspended}`,
      )
    }
  }
})

void t.test('finds a rare text among old accounts on the first page', async (t) => {
  t.equal((await search('نادر', false)).pages, 1)
  t.same(await search('no such text', false), { ids: [], pages: 1 })
  t.ok((await search('القديم', true)).pages > 1, 'ends a page before it has compared all candidates')
})
