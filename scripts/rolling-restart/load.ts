import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { request as send } from 'undici'

export type Load = {
  sent(): number
  failed(): number
  stop(): Promise<{ sent: number; failures: string[]; slow: number }>
}

const CLIENTS = 8
const PAUSE_MS = 15
const SLOW_BYTES = 5
const LOGIN = JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
const JSON_TYPE = { 'content-type': 'application/json' }

type Sent = {
  path: string
  method?: 'POST' | 'PATCH'
  body?: string
  expected: number
  headers?: Record<string, string>
}

/** Sends reads, writes and rejected forms, and beside them a login at 5 bytes a second. */
export async function startLoad(origin: string): Promise<Load> {
  const failures: string[] = []
  const counts = { sent: 0, slow: 0 }
  let isStopped = false

  const sendOne = async ({ path, expected, ...options }: Sent): Promise<void> => {
    counts.sent++
    try {
      // A connection for each request: nginx closes idle ones when it reads its configuration again.
      const { statusCode, body } = await send(origin + path, { ...options, reset: true })
      const text = await body.text()
      if (statusCode !== expected) failures.push(`${path}: ${statusCode} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(`${path}: ${String(error)}`)
    }
  }
  const requests = requestsOf(await logIn(origin))
  const client = async (first: number): Promise<void> => {
    const ordered = [...requests.slice(first), ...requests.slice(0, first)]
    while (!isStopped) {
      for (const each of ordered) {
        await sendOne(each)
        await sleep(PAUSE_MS)
      }
    }
  }
  const slowClient = async (): Promise<void> => {
    while (!isStopped) {
      counts.sent++
      const status = await logInSlowly(origin).catch(String)
      if (status === 200) continue
      counts.slow++
      failures.push(`the slow client: ${status}`)
    }
  }
  const running = [slowClient(), ...Array.from({ length: CLIENTS }, (_, at) => client(at % requests.length))]
  return {
    sent: () => counts.sent,
    failed: () => failures.length,
    async stop() {
      isStopped = true
      await Promise.all(running)
      return { sent: counts.sent, failures, slow: counts.slow }
    },
  }
}

async function logIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers: JSON_TYPE, body: LOGIN })
  const { data } = (await response.json()) as { data: { account: { token: string } } }
  return data.account.token
}

function requestsOf(token: string): Sent[] {
  const authorization = `Bearer ${token}`
  const patch = { path: '/api/v1/profile', method: 'PATCH', expected: 200 } as const
  const patchHeaders = { authorization, 'content-type': 'application/merge-patch+json' }
  return [
    { path: '/api/v1/lookups', expected: 200 },
    { path: '/api/v1/auth/check', expected: 200, headers: { authorization } },
    { path: '/api/v1/profile', expected: 200, headers: { authorization } },
    { path: '/api/v1/auth/login', method: 'POST', body: '{}', expected: 422, headers: JSON_TYPE },
    { ...patch, headers: patchHeaders, body: JSON.stringify({ day: '1', month: '2', year: '1990' }) },
    { path: '/api/v1/auth/sessions', expected: 200, headers: { authorization } },
  ]
}

/** Returns the status. */
async function logInSlowly(origin: string): Promise<number | undefined> {
  const headers = { ...JSON_TYPE, 'content-length': LOGIN.length }
  const sending = request(`${origin}/api/v1/auth/login`, { method: 'POST', headers, agent: false })
  const response = once(sending, 'response') as Promise<[IncomingMessage]>
  const write = async (): Promise<void> => {
    for (let at = 0; at < LOGIN.length; at += SLOW_BYTES) {
      sending.write(LOGIN.slice(at, at + SLOW_BYTES))
      await sleep(1000)
    }
    sending.end()
  }
  const [[received]] = await Promise.all([response, write()])
  received.resume()
  return received.statusCode
}
