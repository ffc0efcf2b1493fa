import { bodyCases, commonCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { proofCases } from '../../support/cases/proof-cases.ts'
import type { Sent } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'
import {
  begin,
  BY_PASSWORD,
  CHANGES_LIMITED,
  codeAt,
  notEnabled,
  protectedPerson,
} from '../../support/accounts/second-factors.ts'

const valid = async (world: World): Promise<Sent> => ({ token: await (await world.person()).token(), ...BY_PASSWORD })
const common = commonCases('beginTotp', valid, 'store')
const token = tokenCases(() => BY_PASSWORD)
const body = bodyCases(BY_PASSWORD.json)
const proof = proofCases()
const HOUR_MS = 3_600_000

contract('beginTotp', {
  200: {
    'returns a secret as text and as a URI for apps': async (send, world, t) => {
      const person = await world.person()
      const received = await send({ token: await person.token(), ...BY_PASSWORD })
      const { uri, secret } = received.body.data as { uri: string; secret: string }
      t.match(secret, /^[A-Z2-7]{32}$/)
      const { protocol, pathname, searchParams } = new URL(uri)
      t.same([protocol, decodeURIComponent(pathname)], ['otpauth:', `/Tawthiq:${person.email}`])
      t.same(Object.fromEntries(searchParams), {
        issuer: 'Tawthiq',
        secret,
        algorithm: 'SHA1',
        digits: '6',
        period: '30',
      })
      return received
    },
    'accepts an account with a verified e-mail address or phone number': async (send, world, t) => {
      const byPhone = await world.person({ isEmailVerified: false, isPhoneVerified: true })
      t.equal((await send({ token: await byPhone.token(), ...BY_PASSWORD })).status, 200)
      const byEmail = await world.person({ isEmailVerified: true, isPhoneVerified: false })
      return send({ token: await byEmail.token(), ...BY_PASSWORD })
    },
    'replaces a secret that is not confirmed': async (send, world, t) => {
      const current = await (await world.person()).token()
      const { secret: first } = await begin(world, current)
      const received = await send({ token: current, ...BY_PASSWORD })
      const confirmed = await world.send('confirmTotp')({
        token: current,
        json: { code: codeAt(first, world.service.clock.nowMs()) },
      })
      t.equal(confirmed.status, 422, 'the code of the first secret')
      return received
    },
    'leaves the app that is in use valid': async (send, world, t) => {
      const { person, token: current, nextCode } = await protectedPerson(world)
      const received = await send({ token: current, ...BY_PASSWORD })
      const json = { email: person.email, password: 'correct horse battery', code: nextCode() }
      t.equal((await world.send('login')({ json })).status, 200)
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  403: {
    ...proof[403],
    'requires recent authentication': async (send, world, t) => {
      const current = await (await world.person()).token()
      world.wait(HOUR_MS / 3)
      const received = await send({ token: current, ...BY_PASSWORD })
      t.equal(received.headers['error-code'], 'reauthentication_required')
      return received
    },
  },
  409: {
    'requires a verified e-mail address or phone number': async (send, world, t) => {
      const person = await world.person({ isEmailVerified: false, isPhoneVerified: false })
      const received = await send({ token: await person.token(), ...BY_PASSWORD })
      t.equal(received.headers['error-code'], 'verified_contact_required')
      return received
    },
  },
  413: withToken(body[413]),
  415: withToken(body[415]),
  422: proof[422],
  429: {
    ...token[429],
    'limits the requests of an account': CHANGES_LIMITED,
  },
  500: common[500],
  503: {
    ...common[503],
    'returns 503 before the operator has enabled second factors': notEnabled(valid),
  },
})
