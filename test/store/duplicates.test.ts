// Duplicates of a lawyer are looked up by indexes, however many lawyers there are.
import t from 'tap'
import { DUPLICATE_IDS } from '../../src/store/admin/duplicates.ts'
import { sharedService } from '../support/service/world.ts'

const LAWYERS = `
  INSERT INTO accounts (email, phone, phone_code, password_hash, account_type)
  SELECT 'lawyer-' || n || '@example.org', '+9665' || lpad(n::text, 8, '0'), '966', 'x', 'lawyer'
  FROM generate_series(1, 3000) n`
const DATA = `
  INSERT INTO lawyer_profiles (account_id, first_name, second_name, fourth_name, about, national_id, identity_type,
    birth_date, degree_id, general_specialty_id, accurate_specialty_id, functional_case_id)
  SELECT id, 'a', 'b', 'd', 'e', 'ID-' || id % 2000, 2, '1988-05-17', 1, 1, 102, 1 FROM accounts`
const LICENCES = `
  INSERT INTO lawyer_licences (account_id, section_id, licence_no) SELECT id, 101, '38/' || id % 2500 FROM accounts`

void t.test('finds duplicates by indexes', async (t) => {
  const { database, asOwner } = await sharedService()
  const { pool } = database
  for (const text of [LAWYERS, DATA, LICENCES, 'ANALYZE lawyer_profiles', 'ANALYZE lawyer_licences']) {
    await asOwner(text)
  }
  const query = `SELECT ${DUPLICATE_IDS.sql} AS "duplicateOf" FROM lawyer_profiles l WHERE l.account_id = $1`
  const { rows: ids } = await pool.query<{ id: number }>('SELECT id FROM accounts ORDER BY id')
  const id = ids[0]?.id
  const { rows: found } = await pool.query(query, [id])
  t.same(found, [{ duplicateOf: [ids[2000]?.id, ids[2500]?.id] }])

  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${query.replace('$1', String(id))}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  t.match(plan, /lawyer_profiles_duplicates_idx/)
  t.match(plan, /lawyer_licences_duplicates_idx/)
  t.notMatch(plan, /Seq Scan/)
})
