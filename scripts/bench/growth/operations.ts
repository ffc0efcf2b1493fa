import { randomUUID } from 'node:crypto'
import type { ImportedAccount } from '../../../src/domain/import.ts'
import type { Store } from '../../../src/store/index.ts'
import type { Subject } from './fill.ts'

/** Runs a part of an operation whose statements are one sample. */
export type Measure = <Result>(work: () => Promise<Result>) => Promise<Result>

/** An operation that is measured. With `byStatement`, each statement is a sample. */
export type Measured = Readonly<{ name: string; byStatement?: true; run(measure: Measure): Promise<unknown> }>

const NETWORKS = ['10.1.2.7', '192.0.2.0/24', '2001:db8::/48']
const AUDIT = { subject: null, address: '10.1.2.3', requestId: null }

/** The operations of users. Each is measured for several accounts. */
export function operations(store: Store, subjects: readonly Subject[]): Measured[] {
  const forEach = (name: string, work: (subject: Subject) => Promise<unknown>): Measured => ({
    name,
    async run(measure) {
      for (const subject of [...subjects, ...subjects]) await measure(() => work(subject))
    },
  })
  return [
    forEach('checkToken', ({ bearer }) => store.bearerAccounts.account(bearer)),
    forEach('getProfile', ({ bearer }) => store.bearerAccounts.profile(bearer)),
    forEach('adminGetUser', ({ bearer }) => store.users.byId(bearer.accountId)),
    ...NETWORKS.map((network) =>
      forEach(`login from ${network}`, ({ email }) => store.accounts.loginCredentials(email, network)),
    ),
    forEach('login: new session', ({ bearer: { accountId } }) =>
      store.sessions.begin({ accountId, passwordHash: '-', address: '10.1.2.3', userAgent: undefined }),
    ),
    forEach('refreshToken', ({ bearer: { sessionId } }) => store.sessions.exchange({ sessionId, generation: 0 })),
    forEach('listSessions', ({ bearer }) => store.sessions.list(bearer)),
    forEach('requestPasswordReset', ({ email }) => store.recovery.byEmail(email)),
    forEach('checkPhone', ({ phone }) =>
      store.phoneVerifications.changeUnowned({ phone, purpose: 'verification' }, (current) => ({ next: current })),
    ),
    forEach('reset by phone', ({ phone }) => store.recovery.byPhone(phone, true)),
    forEach('taken identifiers', ({ email, phone }) => store.profiles.taken({ email, phone })),
    forEach('register', () => store.registrations.add(registration())),
    forEach('adminSuspendUser', ({ bearer: { accountId } }) => store.administration.suspend(byOperator(accountId))),
    forEach('adminRestoreUser', ({ bearer: { accountId } }) => store.administration.restore(byOperator(accountId))),
    ...maintenance(store, subjects),
  ]
}

function byOperator(accountId: number): Parameters<Store['administration']['suspend']>[0] {
  return { accountId, actor: 'command line', reason: null, auditContext: AUDIT }
}

function registration(): Parameters<Store['registrations']['add']>[0] {
  const email = `${randomUUID()}@example.org`
  const phone = { e164: '+966500000009', code: '966', isVerified: false }
  return {
    account: { email, accountType: 'client', passwordHash: '-', phone },
    name: 'نورة الحربي',
    names: undefined,
    verification: undefined,
    client: { address: '10.1.2.3', userAgent: undefined },
    auditContext: AUDIT,
    mails: [],
  }
}

function maintenance(store: Store, subjects: readonly Subject[]): Measured[] {
  const byStatement = (name: string, work: () => Promise<unknown>): Measured => ({
    name,
    byStatement: true,
    run: (measure) => measure(work),
  })
  return [
    byStatement('list of administrators', () => store.users.administrators()),
    byStatement('import: taken identifiers', () => importTaken(store, subjects)),
    byStatement('webhook: due events', () => store.events.takeDue(8)),
    byStatement('file sweep: keys without row', () =>
      store.fileStore.withoutRow(Array.from({ length: 1000 }, (_, at) => `account/${at * 7}`)),
    ),
    byStatement('file sweep: due', () => store.fileStore.due('orphaned', 1000)),
    byStatement('seals: settled events', () => store.auditSeals.settledUpTo(0n, 10)),
    byStatement('seals: events', () => store.auditSeals.events(1n, 100_000n, 1000)),
    byStatement('account deletion', () => store.deletions.carryOut()),
    byStatement('retention', () => store.deleteExpired(365)),
  ]
}

async function importTaken(store: Store, subjects: readonly Subject[]): Promise<void> {
  const { taken, close } = await store.imports.open('0'.repeat(64), false)
  const absent = { createdAt: undefined, factors: undefined, names: undefined }
  const rows = Array.from({ length: 500 }, (_, at): ImportedAccount => {
    const { email = '', phone = '' } = subjects[at % subjects.length] ?? {}
    const fields = { phoneCode: '966', phoneVerified: true, emailVerified: false, passwordHash: '-', name: 'x' }
    const identifiers = { email: at % 2 ? email : `${at}@example.org`, phone: at % 3 ? phone : `+2010000${at}` }
    return { ...fields, ...identifiers, ...absent, accountType: 'client' }
  })
  await taken(rows).finally(close)
}
