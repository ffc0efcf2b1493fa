// Calls of Twilio: the code is read only after the key that the call asks for.
import t, { type Test } from 'tap'
import { ANSWERS } from '../../../scripts/sms-simulator/responses.ts'
import { signTwilio } from '../../../src/adapters/sms/providers/twilio.ts'
import { answering, smsServer, type SmsServer } from '../../support/servers/sms-servers.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, type World } from '../../support/service/world.ts'
import { RECEIPT_SETTINGS, receiptsConfig } from '../../support/sms/receipts.ts'

const CALLS = { SMS_PROVIDERS: 'twilio', TWILIO_VOICE_FROM: '+15557122662' }

async function openWith(t: Test, variables: Record<string, string>): Promise<{ world: World; server: SmsServer }> {
  const server = await smsServer(t, answering(ANSWERS.twilioCalls.accepted))
  const service = await openService({ config: receiptsConfig({ ...CALLS, ...variables }, server.origin) })
  t.teardown(() => service.close())
  return { world: await openWorld(service), server }
}

void t.test('reads a code to the person who presses the key, and confirms it', async (t) => {
  const { world, server } = await openWith(t, {})
  const phone = world.newPhone()
  const form = { phone_code: '966', phone }
  const checked = await world.send('checkPhone')({ form: { ...form, channel: 'voice' } })
  t.equal(checked.headers['code-channel'], 'voice')
  const twiml = new URLSearchParams(server.received[0]?.text).get('Twiml') ?? ''
  t.notMatch(twiml, /\d, \d, \d/, 'the call itself does not contain the code')
  const action = /action="([^"]+)"/.exec(twiml)?.[1] ?? ''
  const key = /press (\d)/.exec(twiml)?.[1] ?? ''
  t.ok(action.startsWith(`${RECEIPT_SETTINGS.publicUrl}/api/v1/webhooks/voice/twilio?call=`), action)

  const fields = { CallSid: `CA${'a'.repeat(32)}`, Digits: key }
  const spoken = await world.send('receiveKeyPress')({
    path: { provider: 'twilio' },
    query: { call: new URL(action).searchParams.get('call') ?? '' },
    raw: new URLSearchParams(fields).toString(),
    type: 'application/x-www-form-urlencoded',
    headers: { 'x-twilio-signature': signTwilio(action, fields, RECEIPT_SETTINGS.authToken) },
  })
  const otp = (/is: ([\d, ]+)\./.exec(Buffer.from(spoken.body as never).toString())?.[1] ?? '').replaceAll(', ', '')
  t.equal((await world.send('confirmPhone')({ form: { ...form, otp } })).status, 200)
})

void t.test('does not offer calls of Twilio without a URL for the pressed keys', async (t) => {
  const { world } = await openWith(t, { PUBLIC_URL: '' })
  const form = { phone_code: '966', phone: world.newPhone(), channel: 'voice' }
  const received = await world.send('checkPhone')({ form })
  t.same(received.body.data.codes, { channel: ['channel_not_offered'] })
})
