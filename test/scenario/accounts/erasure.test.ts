// Erasure of an account: from the audit trail, every event with every identifier that the account has had, and each stored column.
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { EventName } from '../../../src/domain/audit/audit-context.ts'
import { snakeCase } from '../../../src/database/sql.ts'
import { readSchema } from '../../../src/database/compatibility/schema.ts'
import { maskAddress, maskEmail, maskPhone } from '../../../src/domain/text.ts'
import { newAddress, verificationTo } from '../../support/accounts/emails.ts'
import { eventsOfShape, RETAINED, shapeOf, SHAPES } from '../../support/accounts/erased-events.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { settled } from '../../support/accounts/resets.ts'
import { STORED, type StoredTable } from '../../support/accounts/stored-columns.ts'
import { insertOf } from '../../support/cases/sample-rows.ts'
import { openWorld, PASSWORD, tokensIn, type World } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const KINDS = Object.keys(SHAPES) as EventName[]

type Stored = Awaited<ReturnType<World['service']['database']['prisma']['auditEvent']['findMany']>>[number]

/** Requests the deletion of an account and carries it out. Returns the stored events that contain one of the texts. */
async function erase(world: World, id: number, texts: readonly string[]): Promise<Stored[]> {
  const { prisma } = world.service.database
  await prisma.account.update({ where: { id }, data: { deletionDueAt: new Date() } })
  world.wait(DAY_MS)
  await world.service.app.context.store.deletions.carryOut()
  const events = await prisma.auditEvent.findMany()
  return events.filter(({ subject, reason, address }) =>
    texts.some((text) => [subject, reason, address].some((column) => column?.includes(text))),
  )
}

/** Returns what identifies a masked number: its last digits. */
const lastDigits = (phone: string): string => `***${phone.slice(-3)}`

void t.test('erases each kind of event about an account, or by it', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const [{ id, email, phone }, other] = [await world.person(), await world.person()]
  const pendingEmail = 'zoe@pending.example'
  await prisma.account.update({ where: { id }, data: { pendingEmail } })
  const phones = [world.newPhone(), world.newPhone(), phone].map((number) => maskPhone(`+966${number.slice(1)}`))
  const emails = [email, pendingEmail].map(maskEmail)
  const [address, network] = [world.address, maskAddress(world.address)]
  const account = { id, otherId: other.id, address, network, emails, phones }
  const recorded = KINDS.flatMap((event) => SHAPES[event].flatMap((shape) => eventsOfShape(event, shape, account)))
  await prisma.auditEvent.createMany({ data: recorded })
  const count = await prisma.auditEvent.count()

  const left = await erase(world, id, [...emails, ...phones.map(lastDigits), address, network, 'Nouf'])
  t.same(
    left.filter((event) => RETAINED[shapeOf(event)] === undefined),
    [],
  )
  t.equal(await prisma.auditEvent.count(), count + 1, 'no event is deleted, and the deletion is recorded')
})

void t.test('names the reason for each kind of event that is not erased', async (t) => {
  const page = readFileSync('docs/operate.md', 'utf8')
  for (const reason of Object.values(RETAINED)) t.ok(page.includes(reason), reason)
})

void t.test('leaves no digits of former numbers and no former address in the audit trail', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const first = await saudiNumber(world)
  const email = 'yara@former.example'
  await world.send('confirmPhone')({ form: { ...first, otp: '000000' } })
  const registration = clientRegistration({ ...first, email, password: PASSWORD })
  const { token } = tokensIn(await world.send('register')({ json: registration }))
  const { id } = await prisma.account.findUniqueOrThrow({ where: { email } })
  const phones = [first.phone]
  for (let changes = 0; changes < 2; changes++) {
    world.wait((changes + 1) * 120_000)
    const { phone, otp } = await saudiNumber(world)
    const updated = await world.send('updateProfile')({ token, form: clientForm({ email, phone }, { otp }) })
    t.equal(updated.status, 200)
    phones.push(phone)
  }
  const changed = newAddress()
  const form = clientForm({ email: changed, phone: phones.at(-1) ?? '' })
  t.equal((await world.send('updateProfile')({ token, form })).status, 200)
  const { token: link } = await verificationTo(world, changed)
  await world.send('confirmEmail')({ json: { by: 'token', token: link } })
  await world.send('login')({ json: { email, password: 'a wrong password' } })
  await world.send('requestPasswordReset')({ json: { by: 'email', email } })
  await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone: first.phone } })
  await settled(world)

  const texts = [...[email, changed].map(maskEmail), ...phones.map(lastDigits), world.address]
  const before = await prisma.auditEvent.findMany({ where: { address: world.address } })
  for (const event of before) t.ok(SHAPES[event.event as EventName].includes(shapeOf(event)), event.event)
  for (const text of texts) t.ok(JSON.stringify(before, bigints).includes(text), `${text} is recorded before`)
  t.same(await erase(world, id, texts), [])
})

const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

type Rows = readonly (readonly [StoredTable, readonly Readonly<Record<string, unknown>>[]])[]

/** Returns the stored rows of an account by table. */
function rowsOf({ pool }: World['service']['database'], { id, phone }: Owner): Promise<Rows> {
  const read = async (stored: StoredTable): Promise<Rows[number]> => {
    const [key, value] =
      'accountId' in stored.columns ? ['account_id', id] : stored.name === 'accounts' ? ['id', id] : ['phone', phone]
    const { rows } = await pool.query<Rows[number][1][number]>(`SELECT * FROM ${stored.name} WHERE ${key} = $1`, [
      value,
    ])
    return [stored, rows]
  }
  return Promise.all(Object.values<StoredTable>(STORED).map(read))
}

type Owner = Readonly<{ id: number; phone: string }>

type Pool = World['service']['database']['pool']

/** Returns an id of the lookup of each column that refers to one. */
async function lookupIds(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ column: string; lookup: string }>(`
    SELECT a.attname AS column, confrelid::regclass AS lookup FROM pg_constraint
    JOIN pg_attribute a ON (a.attrelid, a.attnum) = (conrelid, conkey[1])
    JOIN pg_attribute k ON (k.attrelid, k.attnum) = (confrelid, confkey[1])
    WHERE contype = 'f' AND k.attname = 'id' AND k.atttypid = 'int4'::regtype AND confrelid <> 'accounts'::regclass`)
  const read = async ({ column, lookup }: (typeof rows)[number]): Promise<[string, string]> => {
    const found = await pool.query<{ id: string }>(`SELECT min(id)::text AS id FROM ${lookup}`)
    return [column, found.rows[0]?.id ?? '']
  }
  return Object.fromEntries(await Promise.all(rows.map(read)))
}

/** Adds a row of an account to each table, with a value in every column. */
async function addRows({ pool }: World['service']['database'], { id, phone }: Owner): Promise<void> {
  const client = await pool.connect()
  const { tables, enums } = await readSchema(client).finally(() => client.release())
  const given = { ...(await lookupIds(pool)), account_id: String(id), actor_id: '900002' }
  for (const { name } of Object.values<StoredTable>(STORED).filter((each) => each.name !== 'accounts')) {
    const table = tables[name]
    if (!table) throw new Error(`there is no table ${name}`)
    const own = {
      ...(name === 'phone_verifications' && { phone }),
      ...(table.columns['id']?.type === 'bigint' && { id: '900001' }), // lower ones exist
    }
    await pool.query(insertOf(name, table, enums, { ...given, ...own }))
  }
}

void t.test('deletes, empties or retains each stored column as declared', async (t) => {
  const world = await openWorld()
  const { database } = world.service
  const { id } = await world.person()
  const owner = await database.prisma.account.update({ where: { id }, data: { phoneVerifiedAt: new Date() } })
  await addRows(database, owner)
  for (const [{ name }, rows] of await rowsOf(database, owner)) t.ok(rows.length > 0, `${name} has a row before`)
  await erase(world, id, [])

  for (const [{ name, columns, retained }, rows] of await rowsOf(database, owner)) {
    const answers = Object.entries(columns).map(([field, answer]) => [snakeCase(field), answer.split(', ')[1]] as const)
    const isDeleted = answers.every(([, answer]) => answer === 'deleted')
    t.equal(rows.length === 0, isDeleted, `${name}: ${rows.length} rows`)
    t.equal(retained === undefined, isDeleted, `${name} has a reason if it is retained`)
    for (const [column, answer] of isDeleted ? [] : answers) {
      const isEmpty = rows.every((row) => row[column] === null)
      t.equal(isEmpty, answer === 'emptied', `${name}.${column} is ${answer}`)
    }
  }
})
