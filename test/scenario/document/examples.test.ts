// Every request example of the document works on a fresh development server.
import bcrypt from 'bcryptjs'
import t, { type Test } from 'tap'
import { bindings } from '../../../generated/operations.ts'
import { readConfig } from '../../../src/config/index.ts'
import { DEMO_PASSWORD } from '../../../src/store/demo-data.ts'
import { listExamples, missingExamples, requestExamples, type Example } from '../../support/examples/document.ts'
import { inOrder } from '../../support/examples/order.ts'
import { peopleOf, type People, type Caller } from '../../support/examples/people.ts'
import { LOST_PHONE, withoutPlaceholders } from '../../support/examples/placeholders.ts'
import { requestOf } from '../../support/examples/requests.ts'
import { temporaryFolder } from '../../support/processes/process.ts'
import { openService } from '../../support/service/service.ts'
import { storePerson } from '../../support/service/stored-person.ts'
import type { OperationId } from '../../../src/contract/operation.ts'

/** The lowest cost: many examples send a password. */
const COST = 4

/** Only the SMS provider can sign its requests: contract/webhooks has the tests of its examples. */
const examples = requestExamples().filter(({ id }) => !bindings[id].signed)

/** If a body can be a form or JSON, a number can be registered only by one of them. */
const isAsJson = ({ id, media }: Example): boolean => media === 'application/json' && bindings[id].media.length > 1

void t.test('has examples for bodies and parameters', (t) => {
  t.same(missingExamples(), [])
  t.end()
})

void t.test('sends every example', (t) => {
  const sent = new Set(examples.flatMap(({ sends }) => sends))
  t.same(
    listExamples().filter((example) => !sent.has(example) && !/^receive(SmsReceipt|KeyPress) /.test(example)),
    [],
  )
  t.end()
})

void t.test('accepts the examples in the order of a user', (t) =>
  replay(
    t,
    examples.filter((example) => !isAsJson(example)),
  ),
)

void t.test('accepts the examples of forms as JSON', (t) => replay(t, examples.filter(isAsJson)))

async function replay(t: Test, chosen: readonly Example[]): Promise<void> {
  // The client resets the password by SMS after the example that confirms the e-mail address.
  const config = readConfig({ DATA_DIR: temporaryFolder(), SMS_PASSWORD_RESET: 'yes' })
  const service = await openService({ config: { ...config, bcryptCost: COST } })
  // The stored hash of the demo accounts has cost 10, which each login would pay.
  await service.database.prisma.account.updateMany({ data: { passwordHash: bcrypt.hashSync(DEMO_PASSWORD, COST) } })
  await storeUndos(service)
  await storeFactors(service)
  const people = peopleOf(service.origin)
  for (const example of inOrder(chosen)) {
    for (const caller of people.callersFor(example)) await replayAs(t, caller, example, people)
  }
  await service.close()
}

/** Stores the tokens that undo a reset as if they had been sent: identifiers of demo accounts were verified too recently. */
async function storeUndos({ app, database: { prisma } }: Awaited<ReturnType<typeof openService>>): Promise<void> {
  const accounts = await prisma.account.findMany({ select: { id: true, email: true }, orderBy: { id: 'asc' } })
  const expiresAt = new Date(Date.now() + 86_400_000)
  const ofLinks = examples.filter(({ id, body }) => id === 'undoChanges' && body?.['token'])
  for (const [index, { body }] of ofLinks.entries()) {
    const { id: accountId = 0, email = '' } = accounts[index] ?? {}
    const tokenHash = app.context.emailTokens.hash(String(body?.['token']))
    await prisma.emailToken.create({ data: { tokenHash, accountId, purpose: 'undo', email, expiresAt } })
  }
  const { phone = '', otp = '' } = (examples.find(({ id, body }) => id === 'undoChanges' && body?.['otp'])?.body ??
    {}) as Partial<Record<string, string>>
  const { id: accountId, email } = await prisma.account.findFirstOrThrow({
    where: { isAdmin: false },
    orderBy: { id: 'desc' },
  })
  const tokenHash = app.context.undoCodes.hash(`+966${phone.slice(1)}`, otp.replace('-', ''))
  const number = { phone: `+966${phone.slice(1)}`, phoneCode: '966' }
  const purpose = 'undo_by_phone'
  await prisma.emailToken.create({ data: { tokenHash, accountId, purpose, email, ...number, expiresAt } })
}

/** Stores the account of the examples that reset second factors, and the token that cancels its reset. */
async function storeFactors({ app, database }: Awaited<ReturnType<typeof openService>>): Promise<void> {
  const bodyOf = (wanted: OperationId): Example['body'] => examples.find(({ id }) => id === wanted)?.body
  const email = String(bodyOf('requestFactorReset')?.['email'])
  const passwordHash = bcrypt.hashSync(DEMO_PASSWORD, COST)
  const verified = { isEmailVerified: true, isPhoneVerified: true }
  const attributes = { accountType: 'client', isAdmin: false, status: 'active', passwordHash, ...verified } as const
  const accountId = await storePerson(database.pool, { email, e164: LOST_PHONE }, attributes)
  const expiresAt = new Date(Date.now() + 86_400_000)
  const data = { factorsSince: new Date(), factorsResetAt: expiresAt }
  await database.prisma.account.update({ where: { id: accountId }, data })
  const tokenHash = app.context.resetTokens.hash(String(bodyOf('cancelFactorReset')?.['token']))
  await database.prisma.emailToken.create({ data: { tokenHash, accountId, purpose: 'keep_factors', email, expiresAt } })
}

async function replayAs(t: Test, caller: Caller, example: Example, people: People): Promise<void> {
  const { id, name } = example
  const filled = await withoutPlaceholders(example, people, caller)
  const token = caller === 'anonymous' ? undefined : await people.tokenOf(caller)
  const received = await people.send(id)(await requestOf(filled, token))
  const { status } = bindings[id].success
  const outcome = received.status === status ? '' : JSON.stringify(received.body)
  t.equal(received.status, status, `the example ${name} of ${id}, sent by ${caller}, succeeds ${outcome}`.trim())
  people.remember(filled, received)
}
