// The operations of the loads.
import { newPhoto } from './images.ts'
import type { Ledger } from './ledger.ts'
import { photoPathOf, tokensIn, type Person } from './people.ts'
import * as requests from './requests.ts'
import type { Received, Sent } from './send.ts'

export type Call = (sent: Sent) => Promise<Received>

type Operation = (call: Call, person: Person, ledger: Ledger) => Promise<Received>

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
      person.link = { path: photoPathOf(received.data), atMs: performance.now() }
    }
    return call({ path: person.link.path })
  },
  async patchProfile(call, { email, token }, ledger) {
    const name = requests.newName()
    const acknowledge = ledger.begin(`name ${email}`, name)
    const received = await call({ method: 'PATCH', path: '/api/v1/profile', token, patch: { name } })
    if (received.status === 200) acknowledge()
    return received
  },
  async uploadPhoto(call, person, ledger) {
    const { photo, width } = await newPhoto()
    const acknowledge = ledger.begin(`photo ${person.email}`, String(width))
    const received = await call(requests.update(person, 'client', { profile_photo: photo }))
    if (received.status === 200) acknowledge()
    person.link = undefined
    return received
  },
  /** The new session replaces the one that is used, because the number of sessions of an account is limited. */
  async login(call, person, ledger) {
    const received = await call(requests.login(person))
    if (received.status !== 200) return received
    Object.assign(person, tokensIn(received.data))
    ledger.add('session', person.token)
    return received
  },
  async refreshToken(call, person) {
    const received = await call(requests.refresh(person))
    if (received.status === 200) Object.assign(person, tokensIn(received.data))
    return received
  },
  async register(call, _person, ledger) {
    const sent = requests.registration()
    const received = await call(sent)
    if (received.status === 201) ledger.add('registration', sent.form.email)
    return received
  },
  async checkPhone(call, _person, ledger) {
    const phone = requests.newPhone()
    const received = await call(requests.checkPhone(phone))
    if (received.status === 200) ledger.add('sms', `+20${phone.slice(1)}`)
    return received
  },
  /** At most one reset for each address, because a further one makes the e-mail of the first one obsolete. */
  async requestPasswordReset(call, _person, ledger) {
    const json = { by: 'email', email: resetAddress(addresses++) }
    const received = await call({ method: 'POST', path: '/api/v1/auth/forgot-password', json })
    if (received.status === 202) ledger.add('mail', received.requestId)
    return received
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

/** Returns one of the addresses that resets are requested for. */
export function resetAddress(number: number): string {
  return `reset-${number}@example.org`
}

function read(path: string): Operation {
  return (call, { token }) => call({ path, token })
}
