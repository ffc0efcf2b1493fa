// The outbox of development: messages and events that were not sent.
import t from 'tap'
import { rawExchange } from '../support/servers/raw.ts'
import { openWorld } from '../support/service/world.ts'

type Listed = { data: { messages: { channel: string; to: string; code: string | null; link: string | null }[] } }

const PHONE = '+966555000123'

async function openWithMessages(): Promise<string> {
  const { service } = await openWorld()
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${service.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/auth/check-phone', { phone_code: '+966', phone: '555000123' })
  await post('/auth/forgot-password', { by: 'email', email: 'client@demo.test' })
  return service.origin
}

const read = async (url: string): Promise<Listed> => (await (await fetch(url)).json()) as Listed

void t.test('lists messages with their code and link', async (t) => {
  const origin = await openWithMessages()
  const { messages } = (await read(`${origin}/dev/outbox`)).data
  const sms = messages.find(({ channel }) => channel === 'sms')
  t.match(sms, { to: PHONE, code: /^\d{6}$/, link: null })
  const { data } = await read(`${origin}/dev/outbox?to=${encodeURIComponent(PHONE)}`)
  t.ok(data.messages.length > 0)
  t.ok(data.messages.every(({ to }) => to === PHONE))
  t.same((await read(`${origin}/dev/outbox?to=nobody@example.test`)).data.messages, [])
})

void t.test('serves a page to browsers', async (t) => {
  const origin = await openWithMessages()
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const url = `${origin}/dev/outbox?to=${encodeURIComponent('"><script>alert(1)</script>')}`
  const response = await fetch(`${origin}/dev/outbox`, { headers: { accept } })
  t.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(response.headers.get('content-security-policy'), /default-src 'none'/)
  t.equal(response.headers.get('content-language'), 'en')
  const page = await response.text()
  t.match(page, PHONE)
  t.match(page, /<div class="code">\d{6}<\/div>/)
  const inputs = page.match(/<(?:input|textarea|select)\b[^>]*>/g) ?? []
  t.equal(inputs.length, 1, 'there is no field for a password')
  t.match(inputs[0], /^<input name="to" value="" placeholder="[^"]*" aria-label="Recipient">$/)
  t.notMatch(await (await fetch(url, { headers: { accept } })).text(), '<script>')
})

void t.test('serves JSON unless a page is preferred', async (t) => {
  const origin = await openWithMessages()
  const types: Record<string, string> = {
    '*/*': 'application/json',
    'application/json, text/html;q=0.5': 'application/json',
    'text/html;q=0, */*': 'application/json',
    'TEXT/HTML': 'text/html',
    'text/*': 'text/html',
  }
  for (const [accept, type] of Object.entries(types)) {
    const { headers } = await fetch(`${origin}/dev/outbox`, { headers: { accept } })
    t.match(headers.get('content-type'), type, accept)
  }
})

void t.test('rejects requests under the name of another host', async (t) => {
  const { port } = new URL(await openWithMessages())
  const get = async (host: string): Promise<number> => {
    const request = `GET /dev/outbox HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`
    return (await rawExchange(`http://127.0.0.1:${port}`, Buffer.from(request))).status
  }
  t.equal(await get('attacker.example'), 404)
  t.equal(await get('localhost.attacker.example'), 404)
  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.equal(await get(host), 200, host)
})
