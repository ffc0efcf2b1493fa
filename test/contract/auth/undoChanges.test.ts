import { bodyCases, commonCases, unknownTokenCases, wrongTokenLimitCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { confirmedChange, newAddress, putEmail } from '../../support/accounts/emails.ts'
import { establishedPerson, resetBy, tokenFor } from '../../support/accounts/resets.ts'
import { undoBy, undoCodesTo, type UndoByCode } from '../../support/accounts/undos.ts'
import { PASSWORD, type Person, type World } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const json = { by: 'token', token: 'anything' }
const common = commonCases('undoChanges', () => ({ json }), 'emailTokens')
const body = bodyCases(json)

/** Replaces the unverified address of a person. Returns the new address, and the body with the code of the SMS. */
async function replaceAddress(world: World, person: Person): Promise<{ email: string; json: UndoByCode }> {
  const email = newAddress()
  await putEmail(world, person, await person.token(), email)
  const [otp] = await undoCodesTo(world, person.phone)
  return { email, json: undoBy(person.phone, otp) }
}

contract('undoChanges', {
  200: {
    'restores the address with the code of the SMS, which no login can use': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false })
      const { email, json: undo } = await replaceAddress(world, person)
      world.wait(7 * DAY_MS - 60_000)
      const received = await send({ json: { ...undo, otp: ` ${undo.otp.toLowerCase().replace('-', ' ')} ` } })
      for (const address of [person.email, email]) t.equal(await login(world, address), 401)
      const { prisma } = world.service.database
      const account = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
      t.match(account, { email: person.email, emailVerifiedAt: null, phoneVerifiedAt: Date })
      t.equal(await resetBy.phone(world, person), 200)
      t.equal(await login(world, person.email, resetBy.password), 200)
      const where = { accountId: person.id, event: 'changes_undone' } as const
      t.match((await prisma.auditEvent.findFirstOrThrow({ where })).subject, /^\+966\*\*\*\d{3}$/)
      return received
    },
    'leaves the address to another account that has it, verified or not': async (send, world, t) => {
      const { account } = world.service.database.prisma
      let received
      for (const isEmailVerified of [true, false]) {
        const person = await world.person({ isEmailVerified: false })
        const { json: undo } = await replaceAddress(world, person)
        const other = await world.person({ isEmailVerified })
        await account.update({ where: { id: other.id }, data: { email: person.email } })
        received = await send({ json: undo })
        t.match((await account.findUniqueOrThrow({ where: { id: other.id } })).email, person.email)
        const own = await account.findUniqueOrThrow({ where: { id: person.id } })
        t.match(own, { email: /^account-\d+-[0-9a-f]{8}@released\.invalid$/, emailVerifiedAt: null })
        t.equal(await resetBy.phone(world, person), 200)
      }
      if (!received) throw new Error('nothing was sent')
      return received
    },
    'undoes a change of the address with the token of the e-mail': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const received = await send({ json: { by: 'token', token: undo } })
      t.equal(await login(world, person.email), 401)
      const where = { id: person.id }
      t.match(await world.service.database.prisma.account.findUniqueOrThrow({ where }), { email: person.email })
      return received
    },
    'undoes a reset by phone with the token of the e-mail': async (send, world, t) => {
      const person = await establishedPerson(world)
      await resetBy.phone(world, person)
      const received = await send({ json: { by: 'token', token: await tokenFor(world, person.email) } })
      t.equal(await login(world, person.email, resetBy.password), 401)
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'changes_undo_failed', 'undo_token_wrong'),
    'rejects a wrong code and the code of another number, which stays valid': async (send, world, t) => {
      const [person, other] = [await world.person({ isEmailVerified: false }), await world.person()]
      const { json: undo } = await replaceAddress(world, person)
      t.equal((await send({ json: { ...undo, phone: other.phone } })).status, 422)
      const wrong = await send({ json: { ...undo, otp: 'AAAAA-AAAAA' } })
      t.same(wrong.body.data.codes, { otp: ['otp_wrong'] })
      t.equal((await send({ json: undo })).status, 200)
      return wrong
    },
    'rejects a used code': async (send, world, t) => {
      const { json: undo } = await replaceAddress(world, await world.person({ isEmailVerified: false }))
      t.equal((await send({ json: undo })).status, 200)
      return send({ json: undo })
    },
    'rejects a code that is seven days old': async (send, world) => {
      const { json: undo } = await replaceAddress(world, await world.person({ isEmailVerified: false }))
      world.wait(7 * DAY_MS)
      return send({ json: undo })
    },
    'rejects an address that another account has verified in the meantime': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const other = await world.person({ isEmailVerified: true })
      const { account } = world.service.database.prisma
      await account.update({ where: { id: other.id }, data: { email: person.email } })
      const received = await send({ json: { by: 'token', token: undo } })
      t.same(received.body.data.codes, { token: ['email_taken'] })
      return received
    },
  },
  429: wrongTokenLimitCases(json),
  500: common[500],
  503: common[503],
})

async function login(world: World, email: string, password = PASSWORD): Promise<number> {
  return (await world.send('login')({ json: { email, password } })).status
}
