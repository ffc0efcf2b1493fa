// Providers whose messages do not arrive are left, over HTTP and with real receipts.
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createSimulator } from '../../../scripts/sms-simulator/server.ts'
import { openApp, type App } from '../../../src/app.ts'
import { parseCommand } from '../../../src/cli/admin/arguments.ts'
import { showSms } from '../../../src/cli/admin/sms.ts'
import { localServer } from '../../support/servers/local-server.ts'
import { openService, type Service } from '../../support/service/service.ts'
import { sender } from '../../support/service/sender.ts'
import { countStatements } from '../../support/service/statements.ts'
import { openWorld, type World } from '../../support/service/world.ts'
import { RECEIPT_SETTINGS, receiptsConfig, signedReceipts } from '../../support/sms/receipts.ts'

const SECOND_MS = 1000
const PAUSE_MS = 600_000

type Sent = { provider: string; channel: string; reference: string; code: string }

type Stage = {
  world: World
  service: Service
  /** All messages that both providers have received, oldest first */
  messages: Sent[]
  /** Sends a code to a new number, from a new network, some seconds after the last one. */
  send(options?: Options): Promise<Sent & { phone: string; codeChannel: string }>
  confirm(message: { phone: string; code: string }): Promise<void>
  report(messages: readonly Sent[], state: string): Promise<void>
}
type Options = { seconds?: number; app?: App; network?: string; channel?: string; isJudged?: boolean }

let networks = 0

/**
 * Opens a service with the providers `webhook` and `webhook2`, which accept all messages. Only the first sends receipts, unless
 * the variables say otherwise.
 */
async function stage(t: Test, variables: Record<string, string> = {}): Promise<Stage> {
  const messages: Sent[] = []
  const origin = await localServer(t, (request, response) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      const { reference, channel, code } = JSON.parse(text) as Omit<Sent, 'provider'>
      messages.push({ provider: request.url?.slice(1) ?? '', reference, channel, code })
      response.writeHead(202).end()
    })
  })
  const service = await openService({
    config: receiptsConfig({ SMS_PROVIDERS: 'webhook,webhook2', ...variables }, origin),
  })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  return {
    world,
    service,
    messages,
    async send({ seconds = 2, app = service.app, network, channel = 'sms', isJudged = true } = {}) {
      world.wait(seconds * SECOND_MS)
      if (isJudged) await app.context.evaluateSmsProviders()
      const phone = world.newPhone()
      const from = network ?? `198.51.${(++networks >> 8) & 255}.${networks & 255}`
      const checkPhone = sender(app.server.listeningOrigin, 'checkPhone', from)
      const { status, body, headers } = await checkPhone({ form: { phone_code: '966', phone, channel } })
      if (status !== 200) throw new Error(JSON.stringify(body))
      const message = messages.at(-1)
      if (!message) throw new Error('no message was sent')
      return { ...message, phone, codeChannel: headers['code-channel'] ?? '' }
    },
    async confirm({ phone, code }) {
      await world.send('confirmPhone')({ form: { phone_code: '966', phone, otp: code } })
    },
    async report(reported, state) {
      const receipts = reported.map(({ reference }) => ({ reference, state }))
      const { status } = await world.send('receiveSmsReceipt')(
        signedReceipts(receipts, { nowMs: service.clock.nowMs() }),
      )
      if (status !== 200) throw new Error(`a receipt was rejected with ${status}`)
    },
  }
}

/** Sends until another provider is used, and returns how many messages the first one has received. */
async function sendUntilLeft({ send }: Stage): Promise<number> {
  for (let count = 0; count <= 50; count++) if ((await send()).provider === 'webhook2') return count
  return Infinity
}

/** Starts another instance, or the same one again. */
async function openAnother(t: Test, { config, dependencies }: Service): Promise<App> {
  const app = await openApp(config, dependencies)
  t.teardown(() => app.close())
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  return app
}

void t.test('leaves a provider that accepts and never delivers within 50 messages', async (t) => {
  const staged = await stage(t)
  const { service, send, world, report, messages } = staged
  const second = await openAnother(t, service)
  const count = await sendUntilLeft(staged)
  t.ok(count >= 30 && count <= 50, `${count} messages`)
  for (let sends = 0; sends < 16; sends++) t.equal((await send()).provider, 'webhook2')
  t.match(service.log.join('\n'), /"provider":"webhook".*"reason":"not_delivered".*SMS provider is paused/)

  t.equal((await send({ app: second })).provider, 'webhook2', 'another instance shares the pause')
  const restarted = await openAnother(t, service)
  const checkPhone = sender(restarted.server.listeningOrigin, 'checkPhone', '198.51.99.1')
  await checkPhone({ form: { phone_code: '966', phone: world.newPhone() } })
  t.equal(messages.at(-1)?.provider, 'webhook2', 'a restart keeps the pause')

  world.wait(PAUSE_MS)
  const trials = [await send(), await send(), await send(), await send()]
  t.same(
    trials.map(({ provider }) => provider),
    ['webhook', 'webhook', 'webhook', 'webhook'],
    'messages test the provider after the pause',
  )
  t.equal((await send({ seconds: 40 })).provider, 'webhook2', 'none has arrived, so it is paused again')

  world.wait(PAUSE_MS)
  const trial = await send()
  t.equal(trial.provider, 'webhook')
  await report([trial], 'delivered')
  await send()
  t.match(service.log.join('\n'), /SMS provider delivers again/)
  for (let sends = 0; sends < 8; sends++) t.equal((await send()).provider, 'webhook')
})

void t.test('leaves a provider that reports failures at once, and never sends a message again', async (t) => {
  const { send, report, messages } = await stage(t)
  const sent = []
  for (let count = 0; count < 10; count++) sent.push(await send({ seconds: 1 }))
  await report(sent.slice(0, 9), 'failed')
  t.equal((await send({ seconds: 0 })).provider, 'webhook')
  await report(sent, 'failed')
  await report(sent, 'failed')
  t.equal(messages.length, 11, 'a receipt sends nothing')
  t.equal((await send({ seconds: 0 })).provider, 'webhook2')
})

void t.test('counts delivered messages as arrived, and failed ones not', async (t) => {
  const { send, report, service } = await stage(t)
  const arrivedAt = async (): Promise<(Date | null)[]> =>
    (await service.database.prisma.smsCircuit.findMany()).map((circuit) => circuit.arrivedAt)
  const [failed, delivered] = [await send(), await send()]
  await service.app.context.evaluateSmsProviders() // stores the messages first
  await report([failed], 'failed')
  t.same(await arrivedAt(), [null])
  await report([delivered], 'delivered')
  t.type((await arrivedAt())[0], Date)
})

void t.test('judges a provider without receipts by confirmed codes alone', async (t) => {
  const { send, confirm, world, service } = await stage(t)
  for (let count = 0; count < 60; count++) {
    const message = await send({ seconds: 3 })
    t.equal(message.provider, 'webhook')
    if (count % 20 === 0) await confirm(message)
  }
  await service.app.context.evaluateSmsProviders()
  const { prisma } = service.database
  t.equal(await prisma.smsMessage.count({ where: { confirmedAt: { not: null } } }), 3)
  t.equal(await prisma.smsMessage.count({ where: { windowId: null } }), 0)
  world.wait(SECOND_MS)
})

void t.test('alternates after a burst of messages, until one of them has arrived', async (t) => {
  const { send, confirm } = await stage(t)
  const sent = []
  for (let count = 0; count < 70; count++) sent.push(await send({ seconds: 0 }))
  const providers = sent.map(({ provider }) => provider)
  t.same(new Set(providers.slice(0, 30)), new Set(['webhook']))
  t.same(new Set(providers.slice(30, 60)), new Set(['webhook2']))
  t.same(providers.slice(60, 64), ['webhook', 'webhook2', 'webhook', 'webhook2'])
  const last = sent.findLast(({ provider }) => provider === 'webhook')
  if (last) await confirm(last)
  const next = [await send({ seconds: 5 }), await send({ seconds: 0 })]
  t.same(
    next.map(({ provider }) => provider),
    ['webhook', 'webhook'],
    'one has arrived, and the others are too young to judge',
  )
})

/** Confirms codes at once, or reports them as delivered at once, if they were sent by a provider or a channel that delivers. */
const ARRIVALS: Record<string, (stage: Stage, message: Sent & { phone: string }) => Promise<void>> = {
  'with receipts': ({ report }, message) => report([message], 'delivered'),
  'without receipts': ({ confirm }, message) => confirm(message),
}

/** Returns the options of 5 messages per second, and of some after a minute. The providers are judged every 2 seconds. */
const fivePerSecond = (): Options[] =>
  Array.from({ length: 75 }, (_, at) => ({ seconds: at === 70 ? 60 : 0.2, isJudged: at % 10 === 0 }))

for (const [how, arrive] of Object.entries(ARRIVALS)) {
  const isReported = how === 'with receipts'

  void t.test(`leaves a provider that delivers nothing within 50 messages at 5 a second, ${how}`, async (t) => {
    // only `webhook` has secrets for receipts
    const [dead, alive] = isReported ? ['webhook2', 'webhook'] : ['webhook', 'webhook2']
    const staged = await stage(t, { SMS_PROVIDERS: `${dead},${alive}` })
    let lost = 0
    for (const options of fivePerSecond()) {
      const message = await staged.send(options)
      if (message.provider === dead) lost++
      else await arrive(staged, message)
    }
    t.equal(staged.messages.at(-1)?.provider, alive)
    t.ok(lost >= 30 && lost <= 50, `${lost} of 75 messages`)
    t.match(staged.service.log.join('\n'), new RegExp(`"provider":"${dead}".*SMS provider is paused`))
  })

  void t.test(`leaves a channel that delivers nothing within 50 messages at 5 a second, ${how}`, async (t) => {
    const staged = await stage(t, { SMS_PROVIDERS: 'webhook', SMS_WEBHOOK_CHANNELS: 'sms,whatsapp' })
    let lost = 0
    for (const options of fivePerSecond()) {
      const message = await staged.send({ ...options, channel: 'whatsapp' })
      t.equal(message.codeChannel, message.channel)
      if (message.channel === 'whatsapp') lost++
      else await arrive(staged, message)
    }
    t.ok(lost >= 30 && lost <= 50, `${lost} of 75 messages`)
    t.match(staged.service.log.join('\n'), /"channel":"whatsapp".*SMS provider is paused/)
  })
}

void t.test('does not leave a provider because of one network that confirms nothing', async (t) => {
  const { send } = await stage(t)
  for (let count = 0; count < 34; count++) {
    t.equal((await send({ seconds: 130, network: '198.51.100.7' })).provider, 'webhook')
  }
})

void t.test('uses the providers in order while all of them are paused', async (t) => {
  const { send, service } = await stage(t)
  await send()
  await service.app.context.evaluateSmsProviders()
  const { prisma } = service.database
  const retryAt = new Date(Date.now() + 3_600_000)
  const route = { channel: 'sms', callingCode: '966', changedAt: new Date(), retryAt }
  await prisma.smsCircuit.deleteMany()
  await prisma.smsCircuit.createMany({
    data: ['webhook', 'webhook2'].map((provider) => ({ provider, ...route })),
  })
  t.equal((await send()).provider, 'webhook')
})

void t.test('adds no statement to a request for a code', async (t) => {
  const { world, service } = await stage(t)
  const [, budget] = /^\| checkPhone +\| +(\d+)/m.exec(readFileSync('docs/performance.md', 'utf8')) ?? []
  const send = sender(service.origin, 'checkPhone', '198.51.98.1')
  await send({ form: { phone_code: '966', phone: world.newPhone() } })
  await service.app.context.evaluateSmsProviders()
  const { statements } = await countStatements(world, () =>
    send({ form: { phone_code: '966', phone: world.newPhone() } }),
  )
  t.ok(statements <= Number(budget), `${statements} of ${budget}`)
})

void t.test('stores no number, text or code', async (t) => {
  const { send, service } = await stage(t)
  const { phone, code } = await send()
  await service.app.context.evaluateSmsProviders()
  const row = JSON.stringify(await service.database.prisma.smsMessage.findFirst(), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  t.match(row, /"callingCode":"966"/)
  for (const secret of [phone.slice(1), code, '198.51']) t.notMatch(row, secret)
})

void t.test('shows the conversion by hour, and pauses', async (t) => {
  const { send, confirm, report, service } = await stage(t)
  const { smsMessages } = service.app.context.store
  t.equal(await showSms(24, smsMessages), 'No SMS was recorded.')
  const sent = [await send(), await send(), await send(), await send()]
  await service.app.context.evaluateSmsProviders()
  await report(sent.slice(0, 2), 'delivered')
  await report(sent.slice(2, 3), 'failed')
  for (const message of sent.slice(0, 1)) await confirm(message)
  await service.app.context.evaluateSmsProviders()
  const [head, ...rows] = (await showSms(24, smsMessages)).split('\n')
  t.match(head, /^Hour \(UTC\) +Provider +Channel +Country +Sent +Delivered +Failed +Confirmed +Median$/)
  const hours = await smsMessages.hours(24)
  t.equal(rows.length, hours.length)
  const total = (name: 'sent' | 'delivered' | 'failed' | 'confirmed'): number =>
    hours.reduce((sum, hour) => sum + hour[name], 0)
  t.same([total('sent'), total('delivered'), total('failed'), total('confirmed')], [4, 2, 1, 1])
  t.match(rows[0], /^\d{4}-\d\d-\d\d \d\d:00 +webhook +sms +\+966 +\d+ /)

  await service.database.prisma.smsCircuit.updateMany({ data: { retryAt: new Date(Date.now() + PAUSE_MS) } })
  t.match(await showSms(24, smsMessages), /\nwebhook is paused until \S+Z for sms to \+966\.$/)
  t.same(parseCommand(['sms', '--hours', '72']), { name: 'sms', hours: 72 })
  for (const hours of ['0', '721', 'x'])
    t.throws(() => parseCommand(['sms', '--hours', hours]), /whole number from 1 to 720/)
})

void t.test('deletes messages after 30 days', async (t) => {
  const { send, service } = await stage(t)
  await send()
  await send()
  await service.app.context.evaluateSmsProviders()
  const { prisma } = service.database
  const [first] = await prisma.smsMessage.findMany({ orderBy: { id: 'asc' } })
  const old = new Date(Date.now() - 31 * 86_400_000)
  await prisma.smsMessage.update({ where: { id: first?.id ?? 0n }, data: { createdAt: old } })
  await service.app.context.store.deleteExpired(365)
  t.equal(await prisma.smsMessage.count(), 1)
})

/** Opens a simulator that reports to a service, which is known later. */
async function simulate(t: Test, serviceUrl: () => string): Promise<string> {
  const { token, secret } = RECEIPT_SETTINGS
  const onError = (error: unknown): void => void t.fail(String(error))
  const options = {
    ...{ token, secret, delayMs: 10, onError },
    get url() {
      return serviceUrl()
    },
  }
  const simulator = createSimulator(undefined, options)
  t.teardown(() => simulator.close())
  return simulator.listen({ host: '127.0.0.1', port: 0 })
}

for (const provider of ['unifonic', 'taqnyat', 'webhook']) {
  void t.test(`stores the receipts of the simulated provider ${provider}`, async (t) => {
    const opened: { service?: Service } = {}
    const origin = await simulate(t, () => opened.service?.origin ?? '')
    const service = (opened.service = await openService({
      config: receiptsConfig({ SMS_PROVIDERS: provider }, origin),
    }))
    t.teardown(() => service.close())
    const world = await openWorld(service)
    await world.send('checkPhone')({ form: { phone_code: '966', phone: '0551230410' } })
    await service.app.context.evaluateSmsProviders()
    const { prisma } = service.database
    while ((await prisma.smsMessage.count({ where: { state: 'failed' } })) === 0);
    t.match(await prisma.smsMessage.findMany(), [{ provider, state: 'failed', callingCode: '966' }])
  })
}

void t.test('gives Twilio the URL for receipts, and accepts those that it signs for this URL', async (t) => {
  const callbacks = new EventEmitter()
  const arrival = once(callbacks, 'callback') as Promise<[{ url: string; signature: string; raw: string }]>
  const url = await localServer(t, (request, response) => {
    let raw = ''
    request.on('data', (bytes: Buffer) => (raw += bytes.toString()))
    request.on('end', () => {
      callbacks.emit('callback', { url: request.url, signature: request.headers['x-twilio-signature'], raw })
      response.writeHead(200).end()
    })
  })
  const origin = await simulate(t, () => '')
  const config = receiptsConfig({ SMS_PROVIDERS: 'twilio', PUBLIC_URL: `${url}/accounts` }, origin)
  const service = await openService({ config })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })
  const [{ url: path, signature, raw }] = await arrival
  t.equal(path, '/accounts/api/v1/webhooks/sms/twilio')
  const type = 'application/x-www-form-urlencoded'
  const sent = { path: { provider: 'twilio' }, raw, type, headers: { 'x-twilio-signature': signature } }
  t.equal((await world.send('receiveSmsReceipt')(sent)).status, 200)
  await service.app.context.evaluateSmsProviders()
  t.match(await service.database.prisma.smsMessage.findMany(), [
    { provider: 'twilio', state: 'delivered', channel: 'sms' },
  ])
})
