import { bodyCases, commonCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import { loginAssertion, passkeyOwner, unconfigured, UNKNOWN } from '../../support/accounts/authenticator.ts'
import { tokensIn } from '../../support/service/world.ts'

const body = bodyCases({ credential: UNKNOWN })
const common = commonCases(
  'loginWithPasskey',
  async (world) => ({ json: await loginAssertion(world, (await passkeyOwner(world)).passkey) }),
  'store',
)

contract('loginWithPasskey', {
  200: {
    'starts a session without a password, which has recent authentication': async (send, world, t) => {
      const { passkey, email, accountId } = await passkeyOwner(world)
      const received = await send({ json: await loginAssertion(world, passkey) })
      t.match(received.body.data, { account: { email } })
      const { token } = tokensIn(received)
      t.equal((await world.send('exportAccount')({ token })).status, 200)
      t.match(await eventsOf(world, accountId), [{ event: 'login' }, { event: 'passkey_added' }, { event: 'login' }])
      return received
    },
    'records the time, and stores whether the passkey is backed up now': async (send, world, t) => {
      const { passkey, token } = await passkeyOwner(world, { backedUp: false })
      const received = await send({ json: await loginAssertion(world, passkey, { backedUp: true }) })
      const { body } = await world.send('getFactors')({ token })
      t.match(body.data, { passkeys: [{ is_backed_up: true, last_used_at: /Z$/ }] })
      return received
    },
    'ignores members that a browser adds': async (send, world) => {
      const { passkey } = await passkeyOwner(world)
      const { credential } = await loginAssertion(world, passkey)
      const added = { rawId: credential.id, clientExtensionResults: {}, authenticatorAttachment: 'platform' }
      return send({ json: { credential: { ...credential, ...added } } })
    },
  },
  400: { ...common[400], ...body[400] },
  401: {
    'rejects an unknown passkey like a wrong signature': async (send, world, t) => {
      const unknown = await send({ json: { credential: UNKNOWN } })
      const { passkey, accountId } = await passkeyOwner(world)
      const { credential } = await loginAssertion(world, passkey)
      credential.response['signature'] = UNKNOWN.response.signature
      const wrong = await send({ json: { credential } })
      t.same(wrong.body, unknown.body)
      t.equal(wrong.headers['error-code'], 'credentials_wrong')
      t.match((await eventsOf(world, accountId)).at(-1), { event: 'passkey_failed' })
      return wrong
    },
    'rejects an assertion that was used': async (send, world, t) => {
      const { passkey } = await passkeyOwner(world)
      const json = await loginAssertion(world, passkey)
      t.equal((await send({ json })).status, 200)
      return send({ json })
    },
  },
  403: {
    'rejects the passkey of a suspended account': async (send, world, t) => {
      const { passkey, accountId } = await passkeyOwner(world)
      const json = await loginAssertion(world, passkey)
      await world.service.database.prisma.account.update({ where: { id: accountId }, data: { status: 'suspended' } })
      const received = await send({ json })
      t.equal(received.headers['error-code'], 'account_suspended')
      t.match((await eventsOf(world, accountId)).at(-1), { event: 'login_suspended' })
      return received
    },
  },
  413: body[413],
  415: body[415],
  422: {
    'rejects what is no credential, and names every wrong field': async (send, _world, t) => {
      const response = { clientDataJSON: 'a b', authenticatorData: 1, signature: 'x'.repeat(2000) }
      const received = await send({ json: { credential: { id: 'é', response } } })
      t.same(received.body.data.codes, {
        'credential.id': ['wrong_format'],
        'credential.response.clientDataJSON': ['wrong_format'],
        'credential.response.authenticatorData': ['wrong_type'],
        'credential.response.signature': ['too_long'],
        'credential.response.userHandle': ['required'],
      })
      return received
    },
  },
  429: {
    'counts wrong passkeys like wrong passwords of the network': async (send, world, t) => {
      const guesses = await Promise.all(Array.from({ length: 40 }, () => send({ json: { credential: UNKNOWN } })))
      t.equal(guesses.filter(({ status }) => status === 401).length, 30)
      const json = { email: 'nobody@example.org', password: 'wrong' }
      t.equal((await world.send('login')({ json })).status, 429)
      return send({ json: { credential: UNKNOWN } })
    },
  },
  500: common[500],
  503: { ...common[503], 'returns 503 without a configured domain': unconfigured({ json: { credential: UNKNOWN } }) },
})
