// For every operation that requires recent authentication, a request that would succeed with it.
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { newLawyer, userPath } from '../cases/administration.ts'
import { clientForm } from './profile-forms.ts'
import type { Sent } from '../service/sender.ts'
import { PASSWORD, type Person, type World } from '../service/world.ts'
import { additionRequest, storePasskey } from './authenticator.ts'
import { BY_PASSWORD, pendingRequest, protect } from './second-factors.ts'

/** Builds the request of a person, who is an administrator if the operation requires one. */
export type RecentRequest = (world: World, person: Person) => Promise<Sent>

type Bindings = typeof bindings
export type MarkedOperation = {
  [Id in OperationId]: Bindings[Id]['recentAuthentication'] extends null ? never : Id
}[OperationId]

type WithoutInput = {
  [Id in MarkedOperation]: Bindings[Id] extends { media: readonly []; path: infer Path }
    ? Path extends `${string}{${string}`
      ? never
      : Id
    : never
}[MarkedOperation]

/** Operations without a body and without parameters in the path */
const WITHOUT_INPUT = Object.assign(
  {},
  ...Object.entries(bindings)
    .filter(([, { recentAuthentication, media, path }]) => recentAuthentication && !media.length && !path.includes('{'))
    .map(([id]) => ({ [id]: () => Promise.resolve({}) })),
) as Record<WithoutInput, RecentRequest>

const json = { reason: 'انتحال صفة محامٍ آخر.' }

export const RECENT_REQUESTS: Readonly<Record<MarkedOperation, RecentRequest>> = {
  ...WITHOUT_INPUT,
  beginTotp: () => Promise.resolve(BY_PASSWORD),
  confirmTotp: pendingRequest,
  removeTotp: () => Promise.resolve(BY_PASSWORD),
  beginPasskey: () => Promise.resolve(BY_PASSWORD),
  addPasskey: additionRequest,
  renamePasskey: async (world, person) => ({ ...(await passkeyPath(world, person)), json: { name: 'Mobile' } }),
  removePasskey: async (world, person) => ({ ...(await passkeyPath(world, person)), ...BY_PASSWORD }),
  async renewRecoveryCodes(world, person) {
    await protect(world, person)
    return BY_PASSWORD
  },
  async changePassword(world, person) {
    await protect(world, person)
    return { json: { current_password: PASSWORD, new_password: 'olive3kayak' } }
  },
  async requestAccountDeletion(world, person) {
    await protect(world, person)
    return { json: { password: PASSWORD } }
  },
  async revokeSession({ address, service }, { id: accountId }) {
    const { id } = await service.database.prisma.session.create({ data: { accountId, address } })
    return { path: { session_id: id } }
  },
  patchProfile: (_world, person) => Promise.resolve({ json: { email: `new-${person.email}` } }),
  updateProfile: (_world, person) => Promise.resolve({ form: clientForm({ ...person, email: `new-${person.email}` }) }),
  adminSuspendUser: async (world) => ({ ...userPath(await world.person()), json }),
  adminRestoreUser: async (world) => ({ ...userPath(await world.person({ status: 'suspended' })), json }),
  adminResetFactors: async (world) => {
    const person = await world.person()
    await protect(world, person)
    return { ...userPath(person), json }
  },
  adminReviewLawyer: async (world) => ({
    ...userPath(await newLawyer(world)),
    json: { decision: 'approved', review_version: 0 },
  }),
  adminGetUser: async (world) => userPath(await world.person()),
  adminReplayEvents: () =>
    Promise.resolve({ json: { by: 'time', since: '2026-11-20T00:00:00.000Z', state: 'failed' } }),
}

/** The removal of a passkey by a person who logs in before, because a further login would need a code. */
export async function passkeyRequest(world: World, person: Person): Promise<Sent> {
  const token = await person.token().catch(() => '') // not of a suspended account
  person.token = () => Promise.resolve(token)
  return { ...(await passkeyPath(world, person)), ...BY_PASSWORD }
}

/** Stores a passkey beside another factor. Returns the path of its operations. */
async function passkeyPath(world: World, person: Person): Promise<{ path: { passkey_id: string } }> {
  await protect(world, person)
  return { path: { passkey_id: await storePasskey(world, person) } }
}
