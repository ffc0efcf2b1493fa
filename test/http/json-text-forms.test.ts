// Forms as clients that are generated from the OpenAPI 3.0 edition send them: lists, maps and decimals as text.
import t from 'tap'
import { lawyerForm } from '../support/accounts/profile-forms.ts'
import { openWorld } from '../support/service/world.ts'

void t.test('accepts lists, maps and decimals as text, and clears them', async (t) => {
  const world = await openWorld()
  const lawyer = await world.person({ accountType: 'lawyer' })
  const token = await lawyer.token()
  const update = world.send('updateProfile')

  const texts = { languages: '[8,40]', sections: '[101,102]', license_no: '{"101":"38/1","102":"39/2"}' }
  const given = await update({ token, form: lawyerForm(lawyer, { ...texts, longitude: '46.6753' }) })
  t.equal(given.status, 200)
  t.match(given.body.data.user, {
    languages: [8, 40],
    sections: [101, 102],
    license_no: { 101: '38/1', 102: '39/2' },
    longitude: 46.6753,
  })

  const cleared = await update({ token, form: lawyerForm(lawyer, { ...texts, sections: '[]', license_no: '{}' }) })
  t.equal(cleared.status, 200)
  t.match(cleared.body.data.user, { languages: [8, 40], sections: [], license_no: {} })
})

void t.test('rejects texts that are no list', async (t) => {
  const world = await openWorld()
  const lawyer = await world.person({ accountType: 'lawyer' })
  const form = lawyerForm(lawyer, { languages: '[8,', sections: '{"1":2}' })
  const { status, body } = await world.send('updateProfile')({ token: await lawyer.token(), form })
  t.equal(status, 422)
  t.match(body.data?.codes, { 'languages.0': Array, 'sections.0': Array })
})
