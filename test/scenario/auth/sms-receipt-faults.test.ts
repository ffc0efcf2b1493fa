// Receipts of SMS providers while the database is unavailable: the provider learns it soon, and its retries count once.
import t, { type Test } from 'tap'
import { NO_METRICS } from '../../../src/lib/metrics.ts'
import {
  openBehindProxy,
  skipWithoutServer as skip,
  UNAVAILABLE_MS_MAX,
  type BehindProxy,
} from '../../support/service/database-proxy.ts'
import { answering, smsServer } from '../../support/servers/sms-servers.ts'
import type { Received } from '../../support/service/responses.ts'
import { receiptsConfig, signedReceipts } from '../../support/sms/receipts.ts'

const RECOVERY_MS_MAX = 5000

type Stage = BehindProxy & {
  reference: string
  /** Receipts that were counted in metrics */
  counted: unknown[]
}

/** Opens a service that has sent a message by a provider with signed receipts, and has stored it. */
async function openWithMessage(t: Test): Promise<Stage> {
  const { origin, received } = await smsServer(t, answering({ status: 202, body: {} }))
  const counted: unknown[] = []
  const count = (name: string, labels: object): void => {
    if (name === 'tawthiq_sms_receipts_total') counted.push(labels)
  }
  const behind = await openBehindProxy(t, {
    config: receiptsConfig({ SMS_PROVIDERS: 'webhook' }, origin),
    telemetry: { observers: { metrics: { ...NO_METRICS, count }, tracer: undefined } },
  })
  const { world, service } = behind
  const { status } = await world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })
  if (status !== 200) throw new Error(`no message was sent: ${status}`)
  await service.app.context.evaluateSmsProviders()
  const { reference } = JSON.parse(received[0]?.text ?? '') as { reference: string }
  return { ...behind, reference, counted }
}

const report = ({ world, service, reference }: Stage): Promise<Received> =>
  world.send('receiveSmsReceipt')(signedReceipts([{ reference, state: 'delivered' }], { nowMs: service.clock.nowMs() }))

/** Sends a receipt again until it is stored, as a provider does. */
async function retry(stage: Stage): Promise<Received> {
  const endMs = performance.now() + RECOVERY_MS_MAX
  let received = await report(stage)
  while (received.status === 503 && performance.now() < endMs) received = await report(stage)
  return received
}

for (const fault of ['cut', 'freeze'] as const) {
  void t.test(`counts the retry of a receipt that the database could not store (${fault})`, { skip }, async (t) => {
    const stage = await openWithMessage(t)
    const { proxy, service, counted } = stage
    proxy[fault]()
    for (let times = 0; times < 3; times++) {
      const startMs = performance.now()
      const { status, headers, body } = await report(stage)
      const ms = performance.now() - startMs
      t.ok(ms < UNAVAILABLE_MS_MAX, `responds after ${Math.round(ms)} ms`)
      t.equal(status, 503)
      t.equal(headers['error-code'], 'database_unavailable')
      t.match(headers['retry-after'], /^[1-9]\d*$/)
      t.match(body, { status: false, code: 503, message: /./ })
    }
    t.same(counted, [])

    proxy.restore()
    t.equal((await retry(stage)).status, 200)
    t.equal((await report(stage)).status, 200, 'a retry whose response the provider did not receive')
    const label = { provider: 'webhook', calling_code: '966', state: 'delivered' }
    t.same(counted, [label])
    const { smsMessages } = service.app.context.store
    t.match(await smsMessages.hours(24), [{ provider: 'webhook', sent: 1, delivered: 1, failed: 0 }])
  })
}
