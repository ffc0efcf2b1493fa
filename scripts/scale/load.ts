// A mixed load: of 1000 requests, 618 read a profile, 240 a lookup, 100 check a token, 40 refresh one, 1 logs in and 1
// uploads a photo.
import { FormData, Pool, type Dispatcher } from 'undici'
import { smallPhoto } from '../bench/images.ts'
import { newAccount, type Account } from '../bench/requests.ts'

const CYCLE = 1000
/** Clients begin at different requests of the cycle. */
const STEP = 61
const PASSWORD = 'olive-harbour-58-lantern'

export type Outcome = { requests: number; failed: number; reasons: Map<string, number>; longestMs: number }

export type Load = { run(ms: number): Promise<Outcome>; close(): Promise<void> }

/** Prepares clients, each with an account of its own, that send one request after the other. */
export async function openLoad(origin: string, clients: number): Promise<Load> {
  const pool = new Pool(origin, { connections: clients })
  const accounts: Account[] = []
  for (let count = 0; count < clients; count++) accounts.push(await newAccount(origin))
  const photo = await smallPhoto()
  return {
    async run(ms) {
      const outcome: Outcome = { requests: 0, failed: 0, reasons: new Map(), longestMs: 0 }
      const endMs = performance.now() + ms
      await Promise.all(accounts.map((account, index) => client({ pool, account, photo, index }, endMs, outcome)))
      return outcome
    },
    close: () => pool.close(),
  }
}

type Client = { pool: Pool; account: Account; photo: Buffer; index: number }

async function client(client: Client, endMs: number, outcome: Outcome): Promise<void> {
  for (let turn = client.index * STEP; performance.now() < endMs; turn++) {
    const startMs = performance.now()
    const reason = await sendOne(client, turn % CYCLE).catch((error: unknown) => (error as Error).message)
    outcome.requests++
    outcome.longestMs = Math.max(outcome.longestMs, performance.now() - startMs)
    if (reason === undefined) continue
    outcome.failed++
    outcome.reasons.set(reason, (outcome.reasons.get(reason) ?? 0) + 1)
  }
}

/** Returns why a request failed, or undefined. */
async function sendOne({ pool, account, photo, index }: Client, turn: number): Promise<string | undefined> {
  const send = async (path: string, options: Partial<Dispatcher.RequestOptions> = {}): Promise<unknown> => {
    const headers = { 'x-forwarded-for': `10.9.${index >> 8}.${index & 255}`, ...(options.headers as object) }
    const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1${path}`, ...options, headers })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} ${path}`)
    return (JSON.parse(text) as { data: unknown }).data
  }
  const authorization = `Bearer ${account.token}`
  const json = (body: object): Partial<Dispatcher.RequestOptions> => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (turn === 0) {
    await send('/auth/login', json({ email: account.email, password: PASSWORD }))
  } else if (turn === 500) {
    await send('/profile', { method: 'PUT', headers: { authorization }, body: photoForm(account, photo) })
  } else if (turn % 25 === 5) {
    const data = await send('/auth/refresh', json({ refresh_token: account.refreshToken }))
    const { account: renewed, session } = data as { account: { token: string }; session: { refresh_token: string } }
    Object.assign(account, { token: renewed.token, refreshToken: session.refresh_token })
  } else if (turn % 10 === 1) {
    await send('/auth/check', { headers: { authorization } })
  } else if (turn % 4 === 2) {
    await send('/lookups/languages')
  } else {
    await send('/profile', { headers: { authorization } })
  }
  return undefined
}

function photoForm({ email, phone }: Account, photo: Buffer): FormData {
  const form = new FormData()
  const places = { country_id: '682', region_id: '1', city_id: '1', nationality_id: '682' }
  const person = {
    account_type: 'client',
    name: 'نوف الشهري',
    type: '1',
    gender: 'Female',
    longitude: '46.6',
    latitude: '24.7',
  }
  for (const [name, value] of Object.entries({ ...person, ...places, email, phone, phone_code: '20' }))
    form.append(name, value)
  form.append('profile_photo', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  return form
}
