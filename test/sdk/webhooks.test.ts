// Verification of webhooks by the SDK.
import { isWebhookError, verifyWebhook, type WebhookEvent } from '@tawthiq/sdk/webhooks'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { readDocument } from '../../src/contract/document.ts'
import { adminToken, userPath } from '../support/cases/administration.ts'
import { openReceiver, SECRET } from '../support/servers/receiver.ts'
import { openWorld, sharedService } from '../support/service/world.ts'

const NEW_SECRET = `whsec_${Buffer.alloc(24, 'new').toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 'other').toString('base64')}`
const TOLERANCE_MS = 300_000
const BODY = JSON.stringify({ type: 'account.deleted', timestamp: '2026-11-21T09:30:00.000Z', data: { account_id: 2 } })

type Delivery = { body: string; headers: Record<string, string> }

/** Signs a body with each of the secrets, like the service. */
function deliver(body = BODY, { ageMs = 0, secrets = [SECRET] } = {}): Delivery {
  const sentAt = new Date(Date.now() - ageMs)
  const signatures = secrets.map((secret) => new Webhook(secret).sign('msg-1', sentAt, body))
  return {
    body,
    headers: {
      'webhook-id': 'msg-1',
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

const verified = (delivery: Delivery, secrets: string | string[] = SECRET): Promise<WebhookEvent> =>
  verifyWebhook(delivery, { secrets })

void t.test('returns the event of a delivery of the service', async (t) => {
  const receiver = await openReceiver(t)
  const world = await openWorld(await sharedService({ events: { url: receiver.url, secrets: [NEW_SECRET, SECRET] } }))
  const person = await world.person()
  await world.send('adminSuspendUser')({ ...userPath(person), token: await adminToken(world), json: { reason: 'why' } })
  const [received] = await receiver.until(person.id, 1)
  if (!received) throw new Error('the event was delivered')
  const { headers, text } = received
  const tolerance = Infinity // the clock of the service is that of the test
  for (const secrets of [SECRET, NEW_SECRET, [OTHER_SECRET, SECRET]]) {
    const event = await verifyWebhook({ body: text, headers }, { secrets, tolerance })
    t.match(event, { type: 'account.suspended', id: headers['webhook-id'], data: { account_id: person.id } })
  }
  await t.rejects(verifyWebhook({ body: text, headers }, { secrets: OTHER_SECRET, tolerance }), {
    code: 'signature_wrong',
  })
})

void t.test('accepts bytes, and headers of a Request', async (t) => {
  const { body, headers } = deliver()
  const request = new Request('http://localhost', { method: 'POST', body, headers })
  t.match(await verifyWebhook({ body: await request.text(), headers: request.headers }, { secrets: SECRET }), {
    type: 'account.deleted',
  })
  const bytes = new TextEncoder().encode(body)
  t.match(await verifyWebhook({ body: bytes, headers }, { secrets: [SECRET] }), { id: 'msg-1' })
})

void t.test('accepts one signature of several, during a rotation of secrets', async (t) => {
  const both = deliver(BODY, { secrets: [NEW_SECRET, SECRET] })
  t.match(await verified(both, SECRET), { type: 'account.deleted' })
  t.match(await verified(both, NEW_SECRET), { type: 'account.deleted' })
  t.match(await verified(deliver(), [NEW_SECRET, SECRET]), { type: 'account.deleted' })
  await t.rejects(verified(both, OTHER_SECRET), { code: 'signature_wrong' })
})

void t.test('rejects changed bodies, ids, timestamps and signatures', async (t) => {
  const { body, headers } = deliver()
  const signature = headers['webhook-signature'] ?? ''
  const second = String(Number(headers['webhook-timestamp']) - 1)
  const changes: [Partial<Record<string, string>>, string?][] = [
    [{}, body.replace('2', '3')],
    [{ 'webhook-id': 'msg-2' }],
    [{ 'webhook-timestamp': second }],
    [{ 'webhook-signature': signature.replace('v1,', 'v2,') }],
    [{ 'webhook-signature': signature.replace(/^v1,./, (start) => (start.endsWith('A') ? 'v1,B' : 'v1,A')) }],
    [{ 'webhook-signature': 'v1,' }],
    [{ 'webhook-signature': 'v1,not base64!' }],
    [{ 'webhook-signature': signature.slice(0, 20) }],
  ]
  for (const [changed, other = body] of changes) {
    const delivery = { body: other, headers: { ...headers, ...changed } as Record<string, string> }
    await t.rejects(verified(delivery), { code: 'signature_wrong' }, JSON.stringify(changed))
  }
  for (const name of Object.keys(headers)) {
    await t.rejects(verified({ body, headers: { ...headers, [name]: '' } }), { code: 'headers_missing' }, name)
  }
})

void t.test('rejects timestamps that are more than five minutes away', async (t) => {
  const nowMs = Math.floor(Date.now() / 1000) * 1000 // the timestamp of a webhook has whole seconds
  t.intercept(Date, 'now', { value: () => nowMs })
  for (const ageMs of [TOLERANCE_MS, -TOLERANCE_MS])
    t.match(await verified(deliver(BODY, { ageMs })), { type: 'account.deleted' })
  for (const ageMs of [TOLERANCE_MS + 1000, -TOLERANCE_MS - 1000]) {
    await t.rejects(verified(deliver(BODY, { ageMs })), { code: 'timestamp_not_recent' })
  }
  const { body, headers } = deliver()
  await t.rejects(verified({ body, headers: { ...headers, 'webhook-timestamp': 'today' } }), {
    code: 'timestamp_not_recent',
  })
})

void t.test('has unknown in place of types that this version does not know', async (t) => {
  const body = BODY.replace('account.deleted', 'account.merged')
  t.match(await verified(deliver(body)), { type: 'unknown', word: 'account.merged', data: { account_id: 2 } })
  const { webhooks } = readDocument() as unknown as { webhooks: Record<string, unknown> }
  for (const type of Object.keys(webhooks)) {
    t.equal((await verified(deliver(BODY.replace('account.deleted', type)))).type, type)
  }
})

void t.test('rejects signed bodies that are no events, and secrets of another format', async (t) => {
  for (const body of ['', 'null', '[]', '{"type":1}', '{"type":"account.deleted"}', '"text"']) {
    const error: unknown = await verified(deliver(body)).catch((error: unknown) => error)
    t.ok(isWebhookError(error) && error.code === 'body_malformed', body)
  }
  for (const secret of ['', 'whsec_', 'whsec_!', 'secret']) {
    await t.rejects(verified(deliver(), secret), TypeError, secret)
  }
})
