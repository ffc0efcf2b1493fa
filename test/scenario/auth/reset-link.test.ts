// The link in the e-mail that sets a new password.
import t from 'tap'
import { mailsTo } from '../../support/accounts/resets.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

const PAGES = ['https://app.example/reset?lang=ar', 'https://app.example/#/reset?lang=ar']

void t.test('puts a valid token into the fragment of the link', async (t) => {
  for (const resetUrl of PAGES) {
    const mail = {
      url: undefined,
      requiresTls: false,
      from: 'no-reply@example.org',
      resetUrl,
      emailUrl: undefined,
      factorResetUrl: undefined,
    }
    const service = await openService({ config: { mail } })
    t.teardown(() => service.close())
    const world = await openWorld(service)
    for (const language of ['ar', 'en']) {
      const { email } = await world.person()
      await world.send('requestPasswordReset')({ json: { by: 'email', email }, language })
      const [{ text } = { text: '' }] = await mailsTo(world, email)
      const [link = ''] = /^https:.*$/m.exec(text) ?? []
      const [sent = '', fragment = ''] = link.split('#')
      t.ok(resetUrl.startsWith(sent), `sent to the server: ${sent}`)
      const [, token = ''] = /(?:^|[?&])token=([\w-]{43})$/.exec(fragment) ?? []
      t.notMatch(sent, token)
      const reset = { by: 'email', token, password: 'olive3kayak' }
      t.equal((await world.send('resetPassword')({ json: reset })).status, 200)
    }
  }
})
