// What each SMS provider receives, by channel.
import t from 'tap'
import { ANSWERS, type Api } from '../../../scripts/sms-simulator/responses.ts'
import { smsFailover } from '../../../src/adapters/sms/failover.ts'
import { withWebOtp } from '../../../src/adapters/sms/decorators.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import {
  ACCOUNT,
  answering,
  newTwilio,
  PROVIDERS,
  SENT,
  smsServer,
  TEMPLATES,
  type ReceivedSms,
  type SmsServer,
} from '../../support/servers/sms-servers.ts'

const log = jsonLog('silent')
const SHORT_MS = 1000
const { network: _, speech, ...CONTENT } = SENT
const MESSAGE = { ...CONTENT, to: SENT.to.e164 }

const fields = (request: ReceivedSms | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(request?.text))
const accepting = (t: Parameters<typeof smsServer>[0], api: Api): Promise<SmsServer> =>
  smsServer(t, answering(ANSWERS[api].accepted))

void t.test('twilio receives a form with basic authentication', async (t) => {
  const { origin, received } = await accepting(t, 'twilio')
  t.equal(await PROVIDERS.twilio(origin).send(MESSAGE, SHORT_MS), 'SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
  const [request] = received
  t.equal(request?.path, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`)
  t.equal(request?.headers.authorization, `Basic ${Buffer.from(`${ACCOUNT}:secret`).toString('base64')}`)
  t.same(fields(request), { To: '+966512345678', From: 'Tawthiq', Body: SENT.text })
})

void t.test('twilio sends through a messaging service', async (t) => {
  const { origin, received } = await accepting(t, 'twilio')
  const from = `MG${'b'.repeat(32)}`
  const provider = newTwilio(origin, { from, whatsapp: { from, contentSids: TEMPLATES } })
  await provider.send(MESSAGE, SHORT_MS)
  await provider.send({ ...MESSAGE, channel: 'whatsapp' }, SHORT_MS)
  t.match(fields(received[0]), { MessagingServiceSid: from })
  t.match(fields(received[1]), { MessagingServiceSid: from, To: 'whatsapp:+966512345678' })
})

void t.test('twilio receives the template of the language and the code for WhatsApp', async (t) => {
  const { origin, received } = await accepting(t, 'twilio')
  const message = { ...MESSAGE, channel: 'whatsapp' } as const
  await PROVIDERS.twilio(origin).send(message, SHORT_MS)
  await PROVIDERS.twilio(origin).send({ ...message, language: 'en' }, SHORT_MS)
  t.same(fields(received[0]), {
    To: 'whatsapp:+966512345678',
    From: 'whatsapp:+15557122661',
    ContentSid: TEMPLATES.ar,
    ContentVariables: '{"1":"123456"}',
  })
  t.match(fields(received[1]), { ContentSid: TEMPLATES.en })
})

void t.test('twilio receives a call that asks for a key, another one in each call', async (t) => {
  const { origin, received } = await accepting(t, 'twilioCalls')
  const message = { ...MESSAGE, channel: 'voice', text: 'Code 1, 2', prompt: 'Press <{key}> & more' } as const
  t.equal(await PROVIDERS.twilio(origin).send(message, SHORT_MS), 'CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
  await PROVIDERS.twilio(origin).send({ ...message, language: 'en' }, SHORT_MS)
  t.equal(received[0]?.path, `/2010-04-01/Accounts/${ACCOUNT}/Calls.json`)
  const { Twiml: arabic = '', ...to } = fields(received[0])
  t.same(to, { To: '+966512345678', From: '+15557122662' })
  const asking = (voice: string): RegExp =>
    new RegExp(
      `^<\\?xml version="1.0" encoding="UTF-8"\\?><Response>(<Gather numDigits="1" timeout="8" action="https://api.example.sa/keys\\?call=[\\w-]+"><Say ${voice}>Press &lt;[1-9]&gt; &amp; more</Say></Gather>){2}</Response>$`,
    )
  t.match(arabic, asking('language="arb" voice="Polly.Zeina"'))
  t.match(fields(received[1])['Twiml'], asking('language="en-US" voice="Polly.Joanna"'))
  for (let calls = 0; calls < 20; calls++) await PROVIDERS.twilio(origin).send(message, SHORT_MS)
  t.ok(new Set(received.map((each) => /&lt;(\d)/.exec(fields(each)['Twiml'] ?? '')?.[1])).size > 3)
})

void t.test('twilio sends by configured channels only', async (t) => {
  const { origin, received } = await accepting(t, 'twilio')
  const provider = newTwilio(origin, { whatsapp: undefined, voice: undefined })
  t.same([...(provider.channels ?? [])], ['sms'])
  await t.rejects(provider.send({ ...MESSAGE, channel: 'whatsapp' }, SHORT_MS), { name: 'SmsRefused' })
  t.equal(received.length, 0)
})

void t.test('unifonic receives a form with a number without +', async (t) => {
  const { origin, received } = await accepting(t, 'unifonic')
  t.equal(await PROVIDERS.unifonic(origin).send(MESSAGE, SHORT_MS), '42000348806924')
  t.equal(received[0]?.path, '/rest/SMS/messages')
  t.same(fields(received[0]), {
    AppSid: 'secret',
    SenderID: 'Tawthiq',
    responseType: 'JSON',
    Recipient: '966512345678',
    Body: SENT.text,
    CorrelationID: 'r-1',
  })
})

void t.test('taqnyat receives JSON with a bearer token', async (t) => {
  const { origin, received } = await accepting(t, 'taqnyat')
  t.equal(await PROVIDERS.taqnyat(origin).send(MESSAGE, SHORT_MS), '5452899970')
  t.equal(received[0]?.path, '/v1/messages')
  t.equal(received[0]?.headers.authorization, 'Bearer secret')
  t.same(JSON.parse(received[0]?.text ?? ''), { recipients: ['966512345678'], body: SENT.text, sender: 'Tawthiq' })
})

void t.test('a webhook receives the channel, the purpose, the language and the code', async (t) => {
  const { origin, received } = await accepting(t, 'webhook')
  const sms = smsFailover({ default: [PROVIDERS.webhook(origin)] }, log)
  await sms.send(SENT)
  await sms.send({ ...SENT, channel: 'voice' })
  t.same(JSON.parse(received[0]?.text ?? ''), MESSAGE)
  t.same(JSON.parse(received[1]?.text ?? ''), {
    ...MESSAGE,
    channel: 'voice',
    text: speech.text,
    requires_key_press: true,
  })
})

void t.test('only SMS with a code end with the line of WebOTP', async (t) => {
  const { origin, received } = await accepting(t, 'webhook')
  const sms = smsFailover({ default: [withWebOtp('app.example.com', PROVIDERS.webhook(origin))] }, log)
  await sms.send(SENT)
  await sms.send({ ...SENT, channel: 'whatsapp' })
  const { code: _code, ...notice } = SENT
  await sms.send(notice)
  const texts = received.map(({ text }) => (JSON.parse(text) as { text: string }).text)
  t.same(texts, [`${SENT.text}\n\n@app.example.com #123456`, SENT.text, SENT.text])
})
