import { bodyStories, commonStories, unknownTokenStory } from '../support/common-stories.ts'
import { contract } from '../support/contract.ts'
import {
  changedTwice,
  confirmedChange,
  pendingChange,
  putEmail,
  newAddress,
  storedEmail,
  SUBJECTS,
  tokensTo,
  verificationTo,
} from '../support/emails.ts'
import { clientRegistration } from '../support/registrations.ts'
import { mailsTo } from '../support/resets.ts'
import { PASSWORD } from '../support/world.ts'

const DAY_MS = 86_400_000
const json = { token: 'anything' }
const common = commonStories('cancelEmailChange', () => ({ json }), 'emailTokens')
const body = bodyStories(json)

contract('cancelEmailChange', {
  200: {
    'a pending change': async (send, world, t) => {
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
    'a pending change that has replaced another one, by the link of either': async (send, world, t) => {
      const { person, bearer, cancel } = await pendingChange(world)
      await putEmail(world, person, bearer, newAddress())
      const received = await send({ json: { token: cancel } })
      t.equal((await storedEmail(world, person.id)).pendingEmail, null)
      return received
    },
    'a change that was confirmed: it is undone, and a new password is needed': async (send, world, t) => {
      const { person, bearer, email, undo } = await confirmedChange(world)
      world.wait(7 * DAY_MS - 1000)
      const received = await send({ json: { token: undo } })
      t.same(received.body.data, { undone: true })
      t.equal((await world.send('checkToken')({ token: bearer })).status, 401, 'sessions have ended')
      for (const address of [email, person.email]) {
        const login = await world.send('login')({ json: { email: address, password: PASSWORD } })
        t.equal(login.status, 401, 'the password is of no use')
      }
      const [reset = ''] = await tokensTo(world, person.email, SUBJECTS.reset)
      const password = 'another horse battery'
      t.equal((await world.send('resetPassword')({ json: { by: 'email', token: reset, password } })).status, 200)
      t.equal((await world.send('login')({ json: { email: person.email, password } })).status, 200)
      t.equal((await mailsTo(world, email))[0]?.subject, 'Your e-mail address was changed')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'email_change_undone' } }), 1)
      return received
    },
    'the link that cancels, after the change was confirmed': async (send, world, t) => {
      const { person, cancel } = await confirmedChange(world)
      const received = await send({ json: { token: cancel } })
      t.same(received.body.data, { undone: true })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'an account that was registered with the old address meanwhile loses it': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const squatter = clientRegistration({ email: person.email })
      t.equal((await world.send('register')({ json: squatter })).status, 201)
      const received = await send({ json: { token: undo } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      const { prisma } = world.service.database
      const released = await prisma.account.findMany({ where: { email: { endsWith: '@released.invalid' } } })
      t.equal(released.length, 1)
      t.equal(await prisma.auditEvent.count({ where: { accountId: released[0]?.id ?? 0, event: 'email_released' } }), 1)
      return received
    },
    'a phone number that was verified after the address no longer recovers the account': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const { prisma } = world.service.database
      const data = { phoneVerifiedAt: new Date(), phoneRecoversFrom: new Date() }
      await prisma.account.update({ where: { id: person.id }, data })
      const received = await send({ json: { token: undo } })
      const { phoneRecoversFrom } = await prisma.account.findUniqueOrThrow({ where: { id: person.id } })
      t.equal(phoneRecoversFrom, null)
      return received
    },
    'an earlier change, after a later one was undone': async (send, world, t) => {
      const { person, email, undo, next } = await changedTwice(world)
      t.same((await send({ json: { token: next } })).body.data, { undone: true })
      t.equal((await storedEmail(world, person.id)).email, email)
      const received = await send({ json: { token: undo } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
  },
  400: { ...common[400], ...body[400] },
  413: body[413],
  415: body[415],
  422: {
    ...unknownTokenStory(json, 'email_cancellation_failed'),
    'a token that confirms': async (send, world) => {
      const { verification } = await pendingChange(world)
      return send({ json: { token: verification.token } })
    },
    'a token that was used': async (send, world, t) => {
      const { undo } = await confirmedChange(world)
      t.equal((await send({ json: { token: undo } })).status, 200)
      return send({ json: { token: undo } })
    },
    'a token that is seven days old': async (send, world) => {
      const { undo } = await confirmedChange(world)
      world.wait(7 * DAY_MS)
      return send({ json: { token: undo } })
    },
    'a later change, after an earlier one was undone': async (send, world, t) => {
      const { person, undo, next } = await changedTwice(world)
      t.equal((await send({ json: { token: undo } })).status, 200)
      const received = await send({ json: { token: next } })
      t.equal((await storedEmail(world, person.id)).email, person.email)
      return received
    },
    'an old address that another account has verified by now': async (send, world, t) => {
      const { person, undo } = await confirmedChange(world)
      const registration = clientRegistration({ email: person.email })
      await world.send('register')({ json: registration })
      const { token } = await verificationTo(world, person.email)
      await world.send('confirmEmail')({ json: { by: 'token', token } })
      const received = await send({ json: { token: undo } })
      t.same(received.body.data.codes, { token: ['email_taken'] })
      return received
    },
  },
  429: {
    'more wrong tokens than an address may try': async (send) => {
      for (let batch = 0; batch < 30; batch++)
        await Promise.all(Array.from({ length: 20 }, () => send({ json: { token: 'x' } })))
      return send({ json: { token: 'x' } })
    },
  },
  500: common[500],
  503: common[503],
})
