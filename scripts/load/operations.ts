// The operations of the loads, and what the service has acknowledged, to be compared with what is there later.
import * as requests from './requests.ts'
import type { Received, Sent } from './send.ts'

export type Call = (sent: Sent) => Promise<Received>

type Operation = (call: Call, person: requests.Person, ledger: Ledger) => Promise<Received>

/** The writes of one value that is replaced, in the order in which they were sent */
export type History = { value: string; isAcknowledged: boolean }[]

/** Acknowledged work: values of which the last one must be there, and things of which each must be there. */
export type Ledger = { values: Map<string, History> } & Record<'registration' | 'session' | 'sms' | 'mail', string[]>

/** Links expire after 15 minutes. */
const LINK_MS_MAX = 300_000

let addresses = 0

/** Operations of a person, who runs one at a time. What is acknowledged is noted. */
export const OPERATIONS = {
  getProfile: read('/api/v1/profile'),
  checkToken: read('/api/v1/auth/check'),
  listSessions: read('/api/v1/auth/sessions'),
  listLookups: (call) => call({ path: '/api/v1/lookups' }),
  listLanguages: (call) => call({ path: '/api/v1/lookups/languages' }),
  unknownPath: (call) => call({ path: '/api/v1/nothing' }),
  invalidLogin: (call) => call({ method: 'POST', path: '/api/v1/auth/login', json: {} }),
  updateProfile: (call, person) => call(requests.update(person, 'client')),
  async getFile(call, person) {
    const { token } = person
    if (!person.link || performance.now() - person.link.atMs > LINK_MS_MAX) {
      const received = await call({ path: '/api/v1/profile', token })
      if (received.status !== 200) return received
      person.link = { path: requests.photoPathOf(received.data), atMs: performance.now() }
    }
    return call({ path: person.link.path })
  },
  patchProfile(call, { email, token }, ledger) {
    const name = requests.newName()
    const acknowledge = beginValue(ledger, `name ${email}`, name)
    return noting(acknowledge, call({ method: 'PATCH', path: '/api/v1/profile', token, patch: { name } }))
  },
  async uploadPhoto(call, person, ledger) {
    const { photo, width } = await requests.newPhoto()
    const acknowledge = beginValue(ledger, `photo ${person.email}`, String(width))
    const received = await noting(acknowledge, call(requests.update(person, 'client', { profile_photo: photo })))
    person.link = undefined
    return received
  },
  /** The new session replaces the one that is used, because the number of sessions of an account is limited. */
  login: (call, person, ledger) =>
    noting(
      ({ data }) => {
        Object.assign(person, requests.tokensIn(data))
        ledger.session.push(person.token)
      },
      call(requests.login(person)),
    ),
  refreshToken: (call, person) =>
    noting(({ data }) => Object.assign(person, requests.tokensIn(data)), call(requests.refresh(person))),
  register(call, _person, ledger) {
    const sent = requests.registration()
    return noting(() => ledger.registration.push(sent.form.email), call(sent))
  },
  checkPhone(call, _person, ledger) {
    const phone = requests.newPhone()
    return noting(() => ledger.sms.push(`+20${phone.slice(1)}`), call(requests.checkPhone(phone)))
  },
  /** At most one reset for each address, because a further one makes the e-mail of the first one obsolete. */
  requestPasswordReset(call, _person, ledger) {
    const json = { by: 'email', email: resetAddress(addresses++) }
    const sending = call({ method: 'POST', path: '/api/v1/auth/forgot-password', json })
    return noting(({ requestId }) => ledger.mail.push(requestId), sending)
  },
} satisfies Record<string, Operation>

export type OperationName = keyof typeof OPERATIONS

/** The statuses of responses that are as expected, other than 200 */
export const SUCCESSES: Partial<Record<OperationName, number>> = {
  register: 201,
  requestPasswordReset: 202,
  unknownPath: 404,
  invalidLogin: 422,
}

/** Notes a response of success when it arrives. */
async function noting(note: (received: Received) => unknown, sending: Promise<Received>): Promise<Received> {
  const received = await sending
  if (received.status < 300) note(received)
  return received
}

export function newLedger(): Ledger {
  return { values: new Map(), registration: [], session: [], sms: [], mail: [] }
}

/** Notes a value before it is sent. The result must be called if it is acknowledged. */
function beginValue({ values }: Ledger, key: string, value: string): () => void {
  const entry = { value, isAcknowledged: false }
  values.set(key, [...(values.get(key) ?? []), entry])
  return () => (entry.isAcknowledged = true)
}

/** Returns one of the addresses that resets are requested for. */
export function resetAddress(number: number): string {
  return `reset-${number}@example.org`
}

function read(path: string): Operation {
  return (call, { token }) => call({ path, token })
}
