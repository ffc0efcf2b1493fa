import { LIMITS } from '../../../generated/limits.ts'
import {
  commonCases,
  optionalBodyCases,
  tokenCases,
  unknownTokenCases,
  wrongTokenLimitCases,
} from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import {
  changedTwice,
  confirmedChange,
  pendingChange,
  putEmail,
  newAddress,
  storedEmail,
  SUBJECTS,
  tokensTo,
} from '../../support/accounts/emails.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { PASSWORD } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const json = { token: 'anything' }
const common = commonCases('cancelEmailChange', () => ({ json }), 'emailTokens')
const body = optionalBodyCases(json)
const rejected = tokenCases()

contract('cancelEmailChange', {
  200: {
    'cancels a pending change and invalidates its token and code': async (send, world, t) => {
      const { person, bearer, verification, cancel } = await pendingChange(world)
      const received = await send({ json: { token: cancel } })
      t.same(received.body.data, { undone: false })
      const { body } = await world.send('getProfile')({ token: bearer })
      t.match(body.data.user, { email: person.email, email_verified: true, pending_email: null })
      const late = await world.send('confirmEmail')({ json: { by: 'token', token: verification.token } })
      t.same(late.body.data.codes, { token: ['email_token_wrong'] })
      const code = await world.send('confirmEmail')({ token: bearer, json: { by: 'code', code: verification.code } })
      t.same(code.body.data.codes, { code: ['otp_wrong'] })
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_change_cancelled' } }), 1)
      return received
    },
    'cancels a later pending change with the link of an earlier one': async (send, world, t) => {
      const { person, bearer, cancel } = await pendingChange(world)
      await putEmail(world, person, bearer, newAddress())
      const received = await send({ json: { token: cancel } })
      t.equal((await storedEmail(world, person.id)).pendingEmail, null)
      return received
    },
    'cancels the pending change of the caller, without a body or with an empty one': async (send, world, t) => {
      for (const sent of [{}, { json: {} }, { raw: '', type: 'application/json' }]) {
        const { person, bearer, verification, cancel } = await pendingChange(world)
        const { body } = await send({ ...sent, token: bearer })
        t.same(body.data, { undone: false })
        t.equal((await storedEmail(world, person.id)).pendingEmail, null)
        for (const id of ['confirmEmail', 'cancelEmailChange'] as const) {
          const token = id === 'confirmEmail' ? verification.token : cancel
          t.equal(
            (await world.send(id)({ json: id === 'confirmEmail' ? { by: 'token', token } : { token } })).status,
            422,
          )
        }
        const { prisma } = world.service.database
        t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_change_cancelled' } }), 1)
      }
      return send({ token: (await pendingChange(world)).bearer })
    },
    'never undoes a confirmed change with an access token': async (send, world, t) => {
      const { person, bearer, email } = await confirmedChange(world)
      const received = await send({ token: bearer })
      t.same(received.body.data, { undone: false })
      t.equal((await storedEmail(world, person.id)).email, email)
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_change_cancelled' } }), 0)
      return received
    },
    'undoes a confirmed change, ends sessions and requires a new password': async (send, world, t) => {
      const { person, bearer, email, undo } = await confirmedChange(world)
      world.wait(7 * DAY_MS - 60_000)
      const received = await send({ json: { token: undo } })
      t.same(received.body.data, { undone: true })
      t.equal((await world.send('checkToken')({ token: bearer })).status, 401, 'all sessions have ended')
      for (const address of [email, person.email]) {
        const login = await world.send('login')({ json: { email: address, password: PASSWORD } })
        t.equal(login.status, 401, 'the old password is rejected')
      }
      const [reset = ''] = await tokensTo(world, person.email, SUBJECTS.undone)
      const password = 'olive3kayak'
      t.equal((await world.send('resetPassword')({ json: { by: 'email', token: reset, password } })).status, 200)
      t.equal((await world.send('login')({ json: { email: person.email, password } })).status, 200)
      t.equal((await mailsTo(world, email))[0]?.subject, 'Your e-mail address was changed')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_change_undone' } }), 1)
      return received
    },
    'undoes a confirmed change with the cancellation link': async (send, world, t) => {
      const { person, cancel } = await confirmedChange(world)
      const received = await send({ json: { token: cancel } })
      t.same(received.body.data, { undone: true })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'removes the old address from an account that was imported with it in the meantime': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const other = await world.person({ isEmailVerified: false })
      const token = await other.token()
      const { prisma } = world.service.database
      await prisma.account.update({ where: { id: other.id }, data: { email: person.email } })
      const received = await send({ json: { token: undo } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      t.equal((await world.send('checkToken')({ token })).status, 401, 'its sessions have ended')
      const released = await prisma.account.findMany({ where: { email: { endsWith: '@released.invalid' } } })
      t.equal(released.length, 1)
      const accountId = released[0]?.id ?? 0
      t.equal(await prisma.auditEvent.count({ where: { accountId, event: 'email_released' } }), 1)
      t.equal(await prisma.event.count({ where: { accountId, type: 'profile.updated' } }), 1)
      return received
    },
    'suspends a phone number that was verified after the address': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const { prisma } = world.service.database
      const data = { phoneVerifiedAt: new Date(), phoneRecoversFrom: new Date() }
      await prisma.account.update({ where: { id: person.id }, data })
      const received = await send({ json: { token: undo } })
      const { phoneRecoversFrom } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
      t.ok(Number(phoneRecoversFrom) > Date.now() + (LIMITS.recovery.hold_hours - 1) * 3_600_000)
      return received
    },
    'ends the former numbers of the account': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const { prisma } = world.service.database
      const former = (verifiedAt: Date): { phone: string; verifiedAt: Date } => ({
        phone: `+966${world.newPhone().slice(1)}`,
        verifiedAt,
      })
      const recoversUntil = new Date(Date.now() + 86_400_000)
      const other = await world.person()
      const others = former(new Date())
      const rows = [former(new Date(0)), former(new Date())].map((each) => ({ ...each, accountId: person.id }))
      const data = [...rows, { ...others, accountId: other.id }].map((row) => ({
        ...row,
        phoneCode: '966',
        recoversUntil,
      }))
      await prisma.formerPhone.createMany({ data })
      const received = await send({ json: { token: undo } })
      const left = await prisma.formerPhone.findMany({
        where: { accountId: { in: [person.id, other.id] } },
        select: { phone: true },
        orderBy: { accountId: 'asc' },
      })
      t.same(left, [{ phone: others.phone }])
      return received
    },
    'undoes an earlier change after a later one': async (send, world, t) => {
      const { person, email, undo, next } = await changedTwice(world)
      t.same((await send({ json: { token: next } })).body.data, { undone: true })
      t.equal((await storedEmail(world, person.id)).email, email)
      const received = await send({ json: { token: undo } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  401: rejected[401],
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenCases(json, 'email_cancellation_failed'),
    'rejects a confirmation token': async (send, world) => {
      const { verification } = await pendingChange(world)
      return send({ json: { token: verification.token } })
    },
    'rejects a used token': async (send, world, t) => {
      const { undo } = await confirmedChange(world)
      t.equal((await send({ json: { token: undo } })).status, 200)
      return send({ json: { token: undo } })
    },
    'rejects a token that is seven days old': async (send, world) => {
      const { undo } = await confirmedChange(world)
      world.wait(7 * DAY_MS)
      return send({ json: { token: undo } })
    },
    'rejects undoing a later change after an earlier one was undone': async (send, world, t) => {
      const { person, undo, next } = await changedTwice(world)
      t.equal((await send({ json: { token: undo } })).status, 200)
      const received = await send({ json: { token: next } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'rejects undoing if another account was imported with the old address, verified': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const other = await world.person()
      const data = { email: person.email, emailVerifiedAt: new Date() }
      await world.service.database.prisma.account.update({ where: { id: other.id }, data })
      const received = await send({ json: { token: undo } })
      t.same(received.body.data.codes, { token: ['email_taken'] })
      return received
    },
  },
  429: {
    ...rejected[429],
    ...wrongTokenLimitCases(json),
  },
  500: common[500],
  503: common[503],
})
