import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { lawyerForm } from '../../support/accounts/profile-forms.ts'
import { contract } from '../../support/cases/contract.ts'
import { giveFile, image } from '../../support/files/files.ts'
import { etagOf } from '../../support/cases/version-cases.ts'

const common = commonCases('getProfile', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('getProfile', {
  200: {
    'returns the profile of a client': async (send, world, t) => {
      const { id, email, phone, token } = await world.person()
      const received = await send({ token: await token() })
      t.match(received.body.data.user, {
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
    'returns no file of another account': async (send, world, t) => {
      const [person, other] = [await world.person(), await world.person()]
      await giveFile(world, other.id, 'profile_photo', await image())
      const received = await send({ token: await person.token() })
      t.equal(received.body.data.user.profile_photo, null)
      t.type((await send({ token: await other.token() })).body.data.user.profile_photo, 'string')
      return received
    },
    'returns the profile of a lawyer': async (send, world, t) => {
      const received = await send({ token: await (await world.person({ accountType: 'lawyer' })).token() })
      t.match(received.body.data.user, { account_type: 'lawyer', profile_complete: false })
      return received
    },
  },
  304: {
    'matches the entity tag of an unchanged profile': async (send, world, t) => {
      const token = await (await world.person()).token()
      const etag = await etagOf(world, token)
      t.equal(await etagOf(world, token), etag, 'a read does not change the tag')
      t.equal((await send({ token, headers: { 'if-none-match': '"another"' } })).status, 200)
      const long = `${'"another", '.repeat(1000)}${etag}`
      t.equal((await send({ token, headers: { 'if-none-match': long } })).status, 304, 'at the end of a long list')
      const longest = `${'"another", '.repeat(2000).slice(0, 16_384 - etag.length - 2)}, ${etag}`
      t.equal((await send({ token, headers: { 'if-none-match': longest } })).status, 304, 'of the longest list')
      const larger = { authorization: `Bearer ${token}`, 'if-none-match': `"${'x'.repeat(24_576)}"` }
      const rejected = await fetch(`${world.service.origin}/api/v1/profile`, { headers: larger })
      t.equal(rejected.status, 431)
      t.equal(rejected.headers.get('error-code'), 'headers_too_large')
      return send({ token, headers: { 'if-none-match': `"another", W/${etag}` } })
    },
    'matches neither the other language, renewed file links nor another account': async (send, world, t) => {
      const person = await world.person({ accountType: 'lawyer' })
      const token = await person.token()
      await world.send('updateProfile')({ token, form: lawyerForm(person) })
      const etag = await etagOf(world, token)
      t.not(await etagOf(world, token, 'ar'), etag, 'the message of the response differs')
      world.wait(10 * 60_000)
      const renewed = await send({ token, headers: { 'if-none-match': etag } })
      t.equal(renewed.status, 200, 'the links of the earlier response expire')
      const other = await (await world.person()).token()
      t.equal((await send({ token: other, headers: { 'if-none-match': etag } })).status, 200)
      return send({ token, headers: { 'if-none-match': renewed.headers['etag'] ?? '' } })
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
