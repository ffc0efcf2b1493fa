// Revocations of one account, and what is issued for it, change no row of another one, which has everything that they end.
import t from 'tap'
import { passkeyOwner } from '../support/accounts/authenticator.ts'
import { clientForm, picture } from '../support/accounts/profile-forms.ts'
import { clientRegistration, saudiNumber } from '../support/accounts/registrations.ts'
import { settled } from '../support/accounts/resets.ts'
import { BY_PASSWORD, protectedPerson } from '../support/accounts/second-factors.ts'
import { REVOCATIONS } from '../support/revocation/revocations.ts'
import { context, openInstances, openStage, prisma, update } from '../support/revocation/stage.ts'
import { isUsable, issue, STATES, type State } from '../support/revocation/states.ts'
import { openWorld, PASSWORD, type World } from '../support/service/world.ts'

await openInstances()

type Rows = Record<string, readonly unknown[]>

/** The tables with rows of an account, and the column with its id */
const TABLES = await prisma.$queryRaw<{ table: string; column: string }[]>`
  SELECT table_name AS table, column_name AS column FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name !~ '^audit_events_'
    AND (column_name = 'account_id' OR (table_name, column_name) = ('accounts', 'id'))
  ORDER BY 1`

/** Returns all rows of some accounts, by table. */
async function rowsOf(accountIds: readonly number[]): Promise<Rows> {
  const read = async ({ table, column }: (typeof TABLES)[number]): Promise<[string, readonly unknown[]]> => {
    const sql = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = ANY ($1) ORDER BY to_jsonb(t)::text`
    return [table, await prisma.$queryRawUnsafe<unknown[]>(sql, accountIds)]
  }
  return Object.fromEntries(await Promise.all(TABLES.map(read)))
}

/** Opens an account with something that a revocation ends. Returns its id. */
async function openBystander(state: State): Promise<number> {
  const stage = await openStage()
  await issue(state, stage, isUsable(state, true) ? stage.other : undefined)
  await settled(stage.world)
  return stage.person.id
}

const bystanders = await Promise.all(STATES.map(openBystander))
const before = await rowsOf(bystanders)

/** Tables whose rows no revocation changes */
const OTHERS = ['events', 'lawyer_languages', 'lawyer_licences', 'lawyer_profiles', 'mail_outbox']

void t.test('has rows in every other table', async (t) => {
  const empty = Object.keys(before).filter((table) => before[table]?.length === 0)
  t.same(empty, OTHERS)
})

for (const [name, prepare] of Object.entries(REVOCATIONS)) {
  void t.test(`${name} leaves the rows of other accounts`, async (t) => {
    const stage = await openStage()
    const revoke = await prepare(stage)
    t.equal(await revoke(), 200)
    await settled(stage.world)
    t.same(await rowsOf(bystanders), before)
  })
}

for (const state of STATES) {
  void t.test(`the use of a ${state} leaves the rows of other accounts`, async (t) => {
    const stage = await openStage()
    const use = await issue(state, stage, isUsable(state, true) ? stage.other : undefined)
    t.ok(await use())
    await settled(stage.world)
    t.same(await rowsOf(bystanders), before)
  })
}

/** Other changes of rows of an account. Each returns whether it was made. */
const CHANGES: Record<string, (world: World) => Promise<boolean>> = {
  'the removal of an authenticator app': async (world) => {
    const { token } = await protectedPerson(world)
    return (await world.send('removeTotp')({ token, ...BY_PASSWORD })).status === 200
  },
  'the removal of a passkey': async (world) => {
    const { token, id } = await passkeyOwner(world)
    return (await world.send('removePasskey')({ token, path: { passkey_id: id }, ...BY_PASSWORD })).status === 200
  },
  'the erasure of an account': async (world) => {
    await update(await world.person(), { deletionDueAt: new Date(0) })
    return (await context.store.deletions.carryOut()) === 1
  },
  'a login with a code of an app': async (world) => {
    const { person, nextCode } = await protectedPerson(world)
    const json = { email: person.email, password: PASSWORD, code: nextCode() }
    return (await world.send('login')({ json })).status === 200
  },
  'a login with a recovery code': async (world) => {
    const { person, recoveryCodes } = await protectedPerson(world)
    const json = { email: person.email, password: PASSWORD, code: recoveryCodes[0] }
    return (await world.send('login')({ json })).status === 200
  },
  'a new file and its removal': async (world) => {
    const person = await world.person()
    const token = await person.token()
    const form = clientForm(person, { profile_photo: picture() })
    const added = await world.send('updateProfile')({ token, form })
    const removed = await world.send('deleteProfileFile')({ token, path: { kind: 'profile_photo' } })
    return added.status === 200 && removed.status === 200
  },
  'a registration with a verified number': async (world) => {
    const json = clientRegistration(await saudiNumber(world))
    return (await world.send('register')({ json })).status === 201
  },
  'an update of a profile with a verified number': async (world) => {
    const person = await world.person()
    const form = clientForm(person, await saudiNumber(world))
    return (await world.send('updateProfile')({ token: await person.token(), form })).status === 200
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  void t.test(`${name} leaves the rows of other accounts`, async (t) => {
    const world = await openWorld()
    t.ok(await change(world))
    await settled(world)
    t.same(await rowsOf(bystanders), before)
  })
}
