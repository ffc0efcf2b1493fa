import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('getProfile', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('getProfile', {
  200: {
    'returns the profile of a client': async (send, world, t) => {
      const { id, email, phone, token } = await world.person()
      const received = await send({ token: await token() })
      t.same(received.body.data.user, {
        id,
        name: 'سارة العتيبي',
        email,
        phone: phone.slice(1),
        phone_code: '966',
        account_type: 'client',
        gender: 'Female',
        region_id: 1,
        country_id: 682,
        city_id: 1,
        type: 1,
        longitude: 46.6753,
        latitude: 24.7136,
        nationality_id: 682,
        profile_photo: null,
        phone_verified: true,
        email_verified: true,
        pending_email: null,
        profile_complete: true,
        deletion_due_at: null,
      })
      return received
    },
    'returns the profile of a lawyer': async (send, world, t) => {
      const received = await send({ token: await (await world.person({ accountType: 'lawyer' })).token() })
      t.match(received.body.data.user, { account_type: 'lawyer', profile_complete: false })
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
