// Codes by SMS, WhatsApp and call: one code and one budget, with SMS as the fallback.
import t from 'tap'
import { codeFor } from '../../support/accounts/resets.ts'
import type { Received } from '../../support/service/responses.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000

type Listed = { channel: string; outcome: string; to: string; text: string; code: string | null }

/** Returns the messages to a number, newest first. */
async function readOutbox({ service }: World, phone: string): Promise<Listed[]> {
  const to = encodeURIComponent(`+966${phone.slice(1)}`)
  const response = await fetch(`${service.origin}/dev/outbox?to=${to}`)
  return ((await response.json()) as { data: { messages: Listed[] } }).data.messages
}

const check = (world: World, phone: string, channel: string): Promise<Received> =>
  world.send('checkPhone')({ form: { phone_code: '966', phone, channel } })

void t.test('sends one code by every channel', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  const codes: (string | null)[] = []
  for (const channel of ['sms', 'whatsapp', 'voice']) {
    const received = await check(world, phone, channel)
    t.equal(received.status, 200)
    t.equal(received.headers['code-channel'], channel)
    t.equal(received.headers['offered-channels'], 'sms, whatsapp, voice')
    const [message] = await readOutbox(world, phone)
    t.match(message, { channel, outcome: 'sent' })
    codes.push(message?.code ?? null)
    world.wait(2 * MINUTE_MS)
  }
  const [otp] = codes
  t.match(otp, /^\d{6}$/)
  t.same(codes, [otp, otp, otp])
  const spoken = [...(otp ?? '')].join(', ')
  t.match((await readOutbox(world, phone))[0]?.text, `${spoken}. Again: ${spoken}.`)
  const confirmed = await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp: otp ?? '' } })
  t.equal(confirmed.status, 200)
})

void t.test('counts the codes of all channels together', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  await check(world, phone, 'sms')
  t.equal((await check(world, phone, 'whatsapp')).headers['error-code'], 'otp_cooldown')
  for (const channel of ['whatsapp', 'voice', 'sms', 'whatsapp']) {
    world.wait(6 * MINUTE_MS)
    t.equal((await check(world, phone, channel)).status, 200)
  }
  world.wait(6 * MINUTE_MS)
  t.equal((await check(world, phone, 'voice')).headers['error-code'], 'otp_send_limit')
})

void t.test('sends an SMS to a number that is not on WhatsApp', async (t) => {
  const world = await openWorld()
  const phone = `${world.newPhone().slice(0, 6)}0404`
  const received = await check(world, phone, 'whatsapp')
  t.equal(received.status, 200)
  t.equal(received.headers['code-channel'], 'sms')
  t.equal(received.body.message, 'A verification code was sent by SMS.')
  const messages = await readOutbox(world, phone)
  t.match(messages, [
    { channel: 'sms', outcome: 'sent' },
    { channel: 'whatsapp', outcome: 'rejected' },
  ])
  const confirmed = await world.send('confirmPhone')({
    form: { phone_code: '966', phone, otp: messages[0]?.code ?? '' },
  })
  t.equal(confirmed.status, 200)
})

void t.test('sends the code of a password reset by the requested channel', async (t) => {
  const world = await openWorld()
  const { phone } = await world.person()
  const request = (channel: string, number: string): Promise<Received> =>
    world.send('requestPasswordReset')({ json: { by: 'phone', phone: number, phone_code: '966', channel } })
  const known = await request('whatsapp', phone)
  const code = await codeFor(world, phone)
  t.match(await readOutbox(world, phone), [{ channel: 'whatsapp', code }])
  const unknown = await request('whatsapp', world.newPhone())
  t.same([unknown.status, unknown.body], [known.status, known.body])
  t.same(Object.keys(unknown.headers), Object.keys(known.headers), 'no header tells whether a message was sent')
})

void t.test('marks the text of a code that is sent again', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  for (let sends = 0; sends < 3; sends++) {
    t.equal((await check(world, phone, 'sms')).status, 200)
    world.wait(2 * MINUTE_MS)
  }
  const texts = world.textsTo(phone)
  t.equal(new Set(texts).size, 3)
  t.equal(new Set(texts.map((text) => /\d{6}/.exec(text)?.[0])).size, 1)
  t.match(texts, [/ \(3\)$/, / \(2\)$/, /with anyone\.$/])
})
