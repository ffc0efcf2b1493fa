// Errors of PostgreSQL, of poolers and of the network that are no fault of the request: it can be repeated.
import pg from 'pg'
import t from 'tap'
import { toFailure } from '../../src/database/outages.ts'
import { isStalePlan } from '../../src/database/stale-plans.ts'
import { Failure } from '../../src/domain/failure.ts'

type Words = readonly [server: string, code: string, message: string, severity?: string]

const UNAVAILABLE: readonly Words[] = [
  ['PostgreSQL 17, repeatable read', '40001', 'could not serialize access due to concurrent update'],
  [
    'PostgreSQL 17, serializable',
    '40001',
    'could not serialize access due to read/write dependencies among transactions',
  ],
  ['PostgreSQL 17, a standby', '40001', 'canceling statement due to conflict with recovery'],
  ['PostgreSQL 17', '40P01', 'deadlock detected'],
  ['PostgreSQL 17', '55P03', 'canceling statement due to lock timeout'],
  ['PostgreSQL 17', '57014', 'canceling statement due to statement timeout'],
  ['PostgreSQL 17', '25P03', 'terminating connection due to idle-in-transaction timeout', 'FATAL'],
  ['PostgreSQL 17', '25P04', 'terminating connection due to transaction timeout', 'FATAL'],
  ['PostgreSQL 17, a standby', '25006', 'cannot execute INSERT in a read-only transaction'],
  ['PostgreSQL 17', '57P01', 'terminating connection due to administrator command', 'FATAL'],
  ['PostgreSQL 17', '57P02', 'terminating connection because of crash of another server process'],
  ['PostgreSQL 17', '57P03', 'the database system is starting up', 'FATAL'],
  ['PostgreSQL 17, a standby', '57P03', 'the database system is not accepting connections', 'FATAL'],
  ['PostgreSQL 17', '57P04', 'terminating connection due to conflict with recovery', 'FATAL'],
  ['PostgreSQL 17', '57P05', 'terminating connection due to idle-session timeout', 'FATAL'],
  ['PostgreSQL 17', '28P01', 'password authentication failed for user "app"', 'FATAL'],
  [
    'PostgreSQL 17',
    '28000',
    'no pg_hba.conf entry for host "10.0.0.7", user "app", database "tawthiq", no encryption',
    'FATAL',
  ],
  ['PostgreSQL 17', '53100', 'could not extend file "base/16384/16385": No space left on device'],
  ['PostgreSQL 17', '53300', 'sorry, too many clients already', 'FATAL'],
  ['PostgreSQL 17', '58030', 'could not read block 7 in file "base/16384/16385": Input/output error'],
  ['PgBouncer 1.23', '08P01', 'server login failed: FATAL the database system is shutting down', 'FATAL'],
  ['PgBouncer 1.23', '08P01', 'query_wait_timeout', 'FATAL'],
  ['Supavisor 2', 'XX000', 'Max client connections reached', 'FATAL'],
  ['Odyssey 1.3', '08006', 'odyssey: failed to connect to remote server', 'FATAL'],
]

const FAULTS: readonly Words[] = [
  ['PostgreSQL 17', '42601', 'syntax error at or near "SELEC"'],
  ['PostgreSQL 17', '23514', 'new row for relation "accounts" violates check constraint "positive"'],
  ['PostgreSQL 17', '22P02', 'invalid input syntax for type integer: "x"'],
  ['PostgreSQL 17', 'XX000', 'cache lookup failed for type 16385'],
]

function errorOf([, code, message, severity = 'ERROR']: Words): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code, severity })
}

/** The same error as the driver adapter of Prisma reports it, for codes that it has no name for. */
function ofPrisma([, code, message, severity = 'ERROR']: Words): Error {
  const cause = { kind: 'postgres', originalCode: code, originalMessage: message, code, severity, message }
  return Object.assign(new Error('Raw query failed'), { code: 'P2010', meta: { driverAdapterError: { cause } } })
}

for (const words of UNAVAILABLE) {
  void t.test(`responds 503 to ${words[1]} of ${words[0]}: ${words[2].slice(0, 50)}`, (t) => {
    for (const error of [errorOf(words), ofPrisma(words)]) t.match(toFailure(error), { code: 'database_unavailable' })
    t.end()
  })
}

for (const words of FAULTS) {
  void t.test(`reports ${words[1]} as an error of the service: ${words[2].slice(0, 50)}`, (t) => {
    for (const error of [errorOf(words), ofPrisma(words)]) t.notOk(toFailure(error) instanceof Failure)
    t.end()
  })
}

/** The message depends on `lc_messages`, which only a superuser can change. */
const STALE = {
  C: 'cached plan must not change result type',
  de_DE: 'gecachter Plan darf den Ergebnistyp nicht ändern',
  fr_FR: 'le plan en cache ne doit pas modifier le type du résultat',
  ja_JP: 'キャッシュした実行計画は結果型を変更してはなりません',
}

for (const [language, message] of Object.entries(STALE)) {
  void t.test(`recognizes a stale plan in the messages of ${language}`, (t) => {
    const words: Words = ['', '0A000', message]
    t.ok(isStalePlan(Object.assign(errorOf(words), { routine: 'RevalidateCachedQuery' })))
    t.ok(isStalePlan(ofPrisma(words)))
    t.notOk(isStalePlan(Object.assign(errorOf(words), { routine: 'transformLockingClause' })))
    t.end()
  })
}
