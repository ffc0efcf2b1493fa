import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { eventsOf } from '../../support/cases/administration.ts'
import {
  createPasskey,
  newPasskey,
  passkeyOwner,
  storePasskey,
  unconfigured,
  type CreationOptions,
} from '../../support/accounts/authenticator.ts'
import { BY_PASSWORD, notEnabled } from '../../support/accounts/second-factors.ts'
import { PASSWORD, type World } from '../../support/service/world.ts'

const json = {
  name: 'MacBook',
  credential: { id: 'AAAA', response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
}
const body = bodyCases(json)
const token = tokenCases(() => ({ json }))

async function valid(world: World): Promise<{ token: string; json: object }> {
  const current = await (await world.person()).token()
  return { token: current, json: (await newPasskey(world, current)).json }
}
const common = commonCases('addPasskey', valid, 'store')

contract('addPasskey', {
  201: {
    'returns recovery codes with the first factor, and ends the other sessions': async (send, world, t) => {
      const person = await world.person()
      const other = await person.logIn()
      const current = await person.token()
      const { passkey, json } = await newPasskey(world, current)
      const received = await send({ token: current, json: { ...json, name: ' MacBook ' } })
      const data = received.body.data as { passkey: object; recovery_codes: string[] }
      t.equal(new Set(data.recovery_codes).size, 10)
      t.match(data.passkey, { name: 'MacBook', last_used_at: null, is_backed_up: true })
      t.equal((await world.send('checkToken')({ token: other.token })).status, 401)
      t.equal((await world.send('checkToken')({ token: current })).status, 200)
      t.match((await eventsOf(world, person.id)).at(-1), { event: 'passkey_added' })
      const login = await world.send('login')({ json: { email: person.email, password: PASSWORD } })
      t.same([login.status, login.headers['mfa-methods']], [403, 'passkey, recovery_code'])
      t.equal(passkey.credentialId, json.credential.id)
      return received
    },
    'keeps the recovery codes with another passkey': async (send, world, t) => {
      const { token: current, email, recoveryCodes } = await passkeyOwner(world)
      const received = await send({ token: current, json: (await newPasskey(world, current)).json })
      t.match(received.body.data, { recovery_codes: null })
      const login = { email, password: PASSWORD, code: recoveryCodes[0] }
      t.equal((await world.send('login')({ json: login })).status, 200)
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  403: {
    'requires recent authentication': async (send, world) => {
      const sent = await valid(world)
      world.wait(16 * 60_000)
      return send(sent)
    },
  },
  409: {
    'requires a verified e-mail address or phone number': async (send, world, t) => {
      const person = await world.person()
      const current = await person.token()
      const { json } = await newPasskey(world, current)
      const unverified = { emailVerifiedAt: null, phoneVerifiedAt: null }
      await world.service.database.prisma.account.update({ where: { id: person.id }, data: unverified })
      const received = await send({ token: current, json })
      t.equal(received.headers['error-code'], 'verified_contact_required')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: {
    'rejects a credential for another session, and one that was used': async (send, world, t) => {
      const person = await world.person()
      const [one, other] = [await person.token(), await person.token()]
      const { json } = await newPasskey(world, other)
      const ofAnother = await send({ token: one, json })
      t.same(ofAnother.body.data.codes, { credential: ['passkey_wrong'] })
      t.equal((await send({ token: other, json })).status, 201)
      const received = await send({ token: other, json })
      t.same(received.body.data.codes, { credential: ['passkey_known'] })
      return received
    },
    'rejects a passkey that was added before': async (send, world, t) => {
      const owner = await passkeyOwner(world)
      const { body } = await world.send('beginPasskey')({ token: owner.token, ...BY_PASSWORD })
      const { credential } = createPasskey(body.data as CreationOptions, {}, owner.passkey)
      const received = await send({ token: owner.token, json: { name: 'Again', credential } })
      t.same(received.body.data.codes, { credential: ['passkey_known'] })
      return received
    },
    'rejects more passkeys than the maximum': async (send, world, t) => {
      const { token: current, accountId } = await passkeyOwner(world)
      for (let at = 1; at < 10; at++) await storePasskey(world, { id: accountId })
      const received = await send({ token: current, json: (await newPasskey(world, current)).json })
      t.same(received.body.data, {
        errors: { credential: ['You can have at most 10 passkeys. Remove one first.'] },
        codes: { credential: ['passkeys_max'] },
      })
      return received
    },
    'rejects a name of spaces': async (send, world, t) => {
      const sent = await valid(world)
      const received = await send({ ...sent, json: { ...sent.json, name: '  ' } })
      t.same(received.body.data.codes, { name: ['wrong_format'] })
      return received
    },
  },
  429: {
    'limits the requests of an account': async (send, world, t) => {
      const current = await (await world.person()).token()
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async () => (await send({ token: current, json })).status),
      )
      t.equal(statuses.filter((status) => status === 422).length, 10)
      return send({ token: current, json })
    },
  },
  500: common[500],
  503: {
    ...common[503],
    'returns 503 without a configured domain': unconfigured({ json }),
    'returns 503 before the operator has enabled second factors': notEnabled(valid),
  },
})
