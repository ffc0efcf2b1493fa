import { bodyCases, commonCases, staleSessionCases, tokenCases, withToken } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'
import { proofCases } from '../../support/cases/proof-cases.ts'
import { passkeyOwner, unconfigured } from '../../support/accounts/authenticator.ts'
import { BY_PASSWORD, CHANGES_LIMITED, notEnabled } from '../../support/accounts/second-factors.ts'
import type { Sent } from '../../support/service/sender.ts'
import type { World } from '../../support/service/world.ts'

const token = tokenCases(() => BY_PASSWORD)
const body = bodyCases(BY_PASSWORD.json)
const proof = proofCases()
const valid = async (world: World): Promise<Sent> => ({ token: await (await world.person()).token(), ...BY_PASSWORD })
const common = commonCases('beginPasskey', valid, 'store')

contract('beginPasskey', {
  200: {
    'returns options for a passkey with a random handle': async (send, world, t) => {
      const { email, token: newToken } = await world.person()
      const received = await send({ token: await newToken(), ...BY_PASSWORD })
      t.match(received.body.data, {
        rp: { id: 'localhost', name: 'Tawthiq' },
        user: { id: /^[\w-]{43}$/, name: email, displayName: email },
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      })
      return received
    },
    'excludes the passkeys of the account, and keeps their handle': async (send, world, t) => {
      const { passkey, token: current } = await passkeyOwner(world)
      const received = await send({ token: current, ...BY_PASSWORD })
      t.match(received.body.data, {
        user: { id: passkey.userHandle },
        excludeCredentials: [{ type: 'public-key', id: passkey.credentialId, transports: ['internal'] }],
      })
      return received
    },
  },
  400: { ...common[400], ...withToken(body[400]) },
  401: token[401],
  403: { ...staleSessionCases(() => BY_PASSWORD)[403], ...proof[403] },
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
    'returns 503 without a configured domain': unconfigured(BY_PASSWORD),
    'returns 503 before the operator has enabled second factors': notEnabled(valid),
  },
})
