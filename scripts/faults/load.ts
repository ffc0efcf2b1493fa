// A mixed load at a fixed rate: a request does not wait for the responses to earlier ones.
import { setTimeout as sleep } from 'node:timers/promises'
import { newPhone, type Account } from '../bench/requests.ts'
import type { Ledger } from './ledger.ts'
import { newPhoto, newName, photoPathOf, profileForm, registrationForm, PASSWORD } from './forms.ts'
import type { People } from './people.ts'
import { send, type Received, type Sample, type Sent } from './send.ts'

/** The operations, with the requests a second of each */
const RATES = {
  getProfile: 10,
  checkToken: 5,
  listLookups: 2,
  patchProfile: 4,
  requestPasswordReset: 3,
  getFile: 2,
  checkPhone: 2,
  login: 1.5,
  uploadPhoto: 1.5,
  register: 0.4,
}
/** Links expire after 15 minutes. */
const LINK_MS_MAX = 300_000

export type OperationName = keyof typeof RATES
export const OPERATIONS = Object.keys(RATES) as OperationName[]

export type Load = {
  samples: Sample[]
  /** Stops sending, and waits for the responses. */
  stop(): Promise<void>
}

type Setting = { origins: readonly string[]; people: People; ledger: Ledger; rate: number }
type Call = (path: string, sent?: Sent) => Promise<Received>

/** Starts the load. Requests alternate between the instances. */
export function startLoad(setting: Setting): Load {
  const samples: Sample[] = []
  const running = new Set<Promise<void>>()
  const operations = operationsOf(setting)
  const stopping = new AbortController()
  let turn = 0
  const start = (operation: OperationName): void => {
    const origin = setting.origins[turn++ % setting.origins.length] ?? ''
    const work = measure(operation, (path, sent) => send(`${origin}${path}`, sent)).finally(() => running.delete(work))
    running.add(work)
  }
  const measure = async (operation: OperationName, call: Call): Promise<void> => {
    let startMs = performance.now()
    const timed: Call = (path, sent) => {
      startMs = performance.now() // without the time that it took to make what is sent
      return call(path, sent)
    }
    const add = (outcome: Pick<Sample, 'status' | 'code'>): void => {
      samples.push({ operation, startMs, ms: performance.now() - startMs, ...outcome })
    }
    try {
      const received = await operations[operation](timed)
      if (received) add({ status: received.status, code: received.code })
    } catch (error) {
      add({ status: 0, code: codeOf(error) })
    }
  }
  const repeat = async (operation: OperationName): Promise<void> => {
    while (!stopping.signal.aborted) {
      start(operation)
      await sleep(1000 / (RATES[operation] * setting.rate), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      )
    }
  }
  const repeating = OPERATIONS.map(repeat)
  return {
    samples,
    async stop() {
      stopping.abort()
      await Promise.all(repeating)
      await Promise.all(running)
    },
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code ?? message
}

type Operation = (call: Call) => Promise<Received | undefined>

function operationsOf({ people, ledger }: Setting): Record<OperationName, Operation> {
  const named = rotation(people.named)
  const pictured = rotation(people.pictured)
  let reader = 0
  let link: { path: string; atMs: number } | undefined
  const next = (): Account => {
    const account = people.named[reader++ % people.named.length]
    if (!account) throw new Error('there are no accounts')
    return account
  }
  return {
    getProfile: (call) => call('/api/v1/profile', { token: next().token }),
    checkToken: (call) => call('/api/v1/auth/check', { token: next().token }),
    listLookups: (call) => call('/api/v1/lookups'),
    async getFile(call) {
      if (link && performance.now() - link.atMs < LINK_MS_MAX) return call(link.path)
      const received = await call('/api/v1/profile', { token: people.framed.token })
      if (received.status !== 200) return received
      link = { path: photoPathOf(received.data), atMs: performance.now() }
      return call(link.path)
    },
    patchProfile: (call) =>
      named(async (person) => {
        const name = newName()
        const acknowledge = ledger.begin(`name ${person.email}`, name)
        const received = await call('/api/v1/profile', { method: 'PATCH', token: person.token, patch: { name } })
        if (received.status === 200) acknowledge()
        return received
      }),
    uploadPhoto: (call) =>
      pictured(async (person) => {
        const { bytes, width } = await newPhoto()
        const acknowledge = ledger.begin(`photo ${person.email}`, String(width))
        const form = profileForm(person, bytes)
        const received = await call('/api/v1/profile', { method: 'PUT', token: person.token, form })
        if (received.status === 200) acknowledge()
        return received
      }),
    async login(call) {
      const person = next()
      const json = { email: person.email, password: PASSWORD }
      const received = await call('/api/v1/auth/login', { method: 'POST', json })
      if (received.status !== 200) return received
      // The new session replaces the one that is used, because the number of sessions of an account is limited.
      person.token = (received.data as { account: Account }).account.token
      ledger.add('session', person.token)
      return received
    },
    async register(call) {
      const { form, email } = registrationForm()
      const received = await call('/api/v1/auth/register', { method: 'POST', form })
      if (received.status === 201) ledger.add('registration', email)
      return received
    },
    async checkPhone(call) {
      const phone = newPhone()
      const received = await call('/api/v1/auth/check-phone', { method: 'POST', json: { phone_code: '20', phone } })
      if (received.status === 200) ledger.add('sms', `+20${phone.slice(1)}`)
      return received
    },
    async requestPasswordReset(call) {
      const json = { by: 'email', email: people.nextAddress() }
      const received = await call('/api/v1/auth/forgot-password', { method: 'POST', json })
      if (received.status === 202) ledger.add('mail', received.requestId)
      return received
    },
  }
}

/** Gives each piece of work an account that no other work has. There is none while responses are outstanding. */
function rotation(
  accounts: readonly Account[],
): (work: (account: Account) => Promise<Received>) => Promise<Received | undefined> {
  const free = [...accounts]
  return async (work) => {
    const account = free.shift()
    return account && work(account).finally(() => free.push(account))
  }
}
