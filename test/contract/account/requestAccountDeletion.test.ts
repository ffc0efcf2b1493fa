import { protectedPerson } from '../../support/accounts/second-factors.ts'
import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { mailsTo } from '../../support/accounts/resets.ts'
import { PASSWORD } from '../../support/service/world.ts'

const DAY_MS = 86_400_000
const json = { password: PASSWORD }
const common = commonCases(
  'requestAccountDeletion',
  async (world) => ({ json, token: await (await world.person()).token() }),
  'store',
)
const body = bodyCases(json)

contract('requestAccountDeletion', {
  202: {
    'schedules the deletion, ends all sessions and notifies the owner': async (send, world, t) => {
      const person = await world.person()
      const other = await person.logIn()
      const current = await person.logIn()
      const received = await send({ json, token: current.token })
      const dueAt = Date.parse(received.body.data.deletion_due_at as string)
      t.ok(Math.abs(dueAt - Date.now() - 30 * DAY_MS) < DAY_MS)
      for (const { token, refresh } of [current, other]) {
        t.equal((await world.send('checkToken')({ token })).headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
      }
      t.equal((await mailsTo(world, person.email))[0]?.subject, 'Your account will be deleted')
      const { body } = await world.send('getProfile')({ token: await person.token() })
      t.equal(body.data.user.deletion_due_at, received.body.data.deletion_due_at)
      return received
    },
    'returns the unchanged due date of an earlier request': async (send, world, t) => {
      const person = await world.person()
      const first = await send({ json, token: await person.token() })
      world.wait(5 * DAY_MS)
      const received = await send({ json, token: await person.token() })
      t.same(received.body.data, first.body.data)
      const [mail] = await mailsTo(world, person.email)
      t.match(mail?.text, 'will be deleted in 24 days')
      const { prisma } = world.service.database
      t.equal(await prisma.auditEvent.count({ where: { accountId: person.id, event: 'deletion_requested' } }), 1)
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: tokenCases(() => ({ json }))[401],
  403: {
    'requires recent authentication of an account with a second factor': async (send, world, t) => {
      const { token } = await protectedPerson(world)
      world.wait(20 * 60_000)
      const received = await send({ json, token })
      t.equal(received.headers['error-code'], 'reauthentication_required')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects a wrong password': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const received = await send({ json: { password: 'wrong' }, token })
      t.same(received.body.data.codes, { password: ['password_wrong'] })
      t.equal((await world.send('checkToken')({ token })).status, 200)
      return received
    },
  },
  429: {
    'rejects the right password after ten wrong ones': async (send, world) => {
      const token = await (await world.person()).token()
      for (let tries = 0; tries < 10; tries++) await send({ json: { password: 'wrong' }, token })
      return send({ json, token })
    },
  },
  500: common[500],
  503: common[503],
})
