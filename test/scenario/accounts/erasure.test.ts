// Erasure of an account from the audit trail: every event, with every identifier that the account has had.
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { EventName } from '../../../src/domain/audit/audit-context.ts'
import { maskAddress, maskEmail, maskPhone } from '../../../src/domain/text.ts'
import { newAddress, verificationTo } from '../../support/accounts/emails.ts'
import { eventsOfShape, RETAINED, shapeOf, SHAPES } from '../../support/accounts/erased-events.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration, saudiNumber } from '../../support/accounts/registrations.ts'
import { settled } from '../../support/accounts/resets.ts'
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
