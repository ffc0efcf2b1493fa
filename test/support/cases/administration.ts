// Administrators, lawyers for review, and the contract cases that administrative operations share.
import type { OperationId } from '../../../src/contract/operation.ts'
import { bodyCases, commonCases, tokenCases, withToken } from './common-cases.ts'
import type { Case, Cases } from './contract.ts'
import type { Received } from '../service/responses.ts'
import { nationalIdOf } from '../accounts/national-ids.ts'
import type { Send, Sent } from '../service/sender.ts'
import type { Person, World } from '../service/world.ts'

/** A body of each operation of administrators that has one */
export const ADMINISTRATOR_BODIES: Partial<Record<OperationId, object>> = {
  adminSuspendUser: { reason: 'because' },
  adminResetFactors: { reason: 'because' },
  adminRestoreUser: { reason: 'because' },
  adminReviewLawyer: { decision: 'approved', review_version: 0 },
  adminReplayEvents: { by: 'time', since: '2026-11-20T00:00:00.000Z' },
}

/** Creates an administrator and returns their access token. */
export async function adminToken(world: World): Promise<string> {
  return (await world.person({ isAdmin: true })).token()
}

/** Returns the path parameters that identify a user. */
export function userPath({ id }: { id: number }): { path: { user_id: string } } {
  return { path: { user_id: String(id) } }
}

type Credentials = { nationalId?: string; identityType?: number; licences?: Record<number, string> }

/** Creates a lawyer with a complete, unreviewed profile. The national ID is unique by default. */
export async function newLawyer(
  world: World,
  { nationalId, identityType = 1, licences = {} }: Credentials = {},
): Promise<Person> {
  const person = await world.person({ accountType: 'lawyer' })
  await world.service.database.prisma.lawyerProfile.create({
    data: {
      accountId: person.id,
      firstName: 'عبدالله',
      secondName: 'محمد',
      fourthName: 'القحطاني',
      about: 'محامٍ.',
      nationalId: nationalId ?? nationalIdOf(person),
      identityType,
      birthDate: new Date('1988-05-17'),
      degreeId: 1,
      generalSpecialtyId: 1,
      accurateSpecialtyId: 102,
      functionalCaseId: 1,
      licences: {
        create: Object.entries(licences).map(([id, licenceNo]) => ({ sectionId: Number(id), licenceNo })),
      },
    },
  })
  return person
}

/** Returns the current review version of a lawyer. */
export async function reviewVersionOf(world: World, { id }: Person): Promise<number> {
  const { prisma } = world.service.database
  return (await prisma.lawyerProfile.findUniqueOrThrow({ where: { accountId: id } })).reviewVersion
}

/** Returns the audit events of an account, oldest first. */
export function eventsOf(
  world: World,
  accountId: number,
): Promise<{ event: string; actorId: number | null; reason: string | null; subject: string | null }[]> {
  const select = { event: true, actorId: true, reason: true, subject: true }
  return world.service.database.prisma.auditEvent.findMany({ where: { accountId }, select, orderBy: { id: 'asc' } })
}

type CommonCases = Record<400 | 401 | 403 | 429 | 500 | 503, Cases>

/**
 * Returns the cases of an operation that requires an administrator.
 *
 * @param validRequest builds the other parts of a request that would succeed
 */
export function adminCases(id: OperationId, validRequest: (world: World) => Promise<Sent>): CommonCases {
  const common = commonCases(
    id,
    async (world) => ({ token: await adminToken(world), ...(await validRequest(world)) }),
    'store',
  )
  const notAdmin: Case = async (send, world, t) => {
    const person = await world.person()
    const sent = { token: await person.token(), ...(await validRequest(world)) }
    await send(sent)
    const received = await send(sent)
    t.equal(received.headers['error-code'], 'admin_required')
    const refusals = (await eventsOf(world, person.id)).filter(({ event }) => event === 'admin_refused')
    t.equal(refusals.length, 1, 'only the first is recorded')
    return received
  }
  const formerAdmin: Case = async (send, world, t) => {
    const admin = await world.person({ isAdmin: true })
    const token = await admin.token()
    await world.service.database.prisma.account.update({ where: { id: admin.id }, data: { isAdmin: false } })
    const received = await send({ token, ...(await validRequest(world)) })
    t.equal(received.headers['error-code'], 'admin_required')
    return received
  }
  const promoted = async (world: World, person: Person): Promise<Sent> => {
    await world.service.database.prisma.account.update({ where: { id: person.id }, data: { isAdmin: true } })
    return validRequest(world)
  }
  return {
    ...common,
    ...tokenCases(promoted),
    403: {
      'rejects a user who is not an administrator, and records the first attempt': notAdmin,
      'rejects a user whose administrator role was just revoked': formerAdmin,
    },
  }
}

/** Returns the cases of a JSON body that an administrator sends. */
export function adminBodyCases(validBody: object): Record<400 | 413 | 415, Cases> {
  const { 400: malformed, 413: large, 415: foreign } = bodyCases(validBody)
  return { 400: asAdmin(malformed), 413: asAdmin(large), 415: asAdmin(foreign) }
}

/** Returns the cases of unknown and invalid user IDs. */
export function unknownUserCases(rest: Sent = {}): { 404: Cases; 422: Cases } {
  const unknown: Case = async (send, _world, t) => {
    const received = await send({ ...userPath({ id: 2_000_000_000 }), ...rest })
    t.equal(received.headers['error-code'], 'user_unknown')
    return received
  }
  const notNumeric: Case = async (send, _world, t) => {
    for (const user_id of ['0x10', '1e3', '1.0', '+1']) {
      t.equal((await send({ path: { user_id }, ...rest })).status, 422, user_id)
    }
    const received = await send({ path: { user_id: 'me' }, ...rest })
    t.same(received.body.data.codes, { user_id: ['wrong_type'] })
    return received
  }
  const tooLarge: Case = (send) => send({ path: { user_id: '4294967296' }, ...rest })
  return {
    404: asAdmin({ 'rejects an unknown user ID': unknown }),
    422: asAdmin({
      'rejects a user ID that is not a decimal integer': notNumeric,
      'rejects a user ID that is out of range': tooLarge,
    }),
  }
}

/**
 * Returns the cases of invalid reasons and of administrators who act on themselves.
 *
 * @param newUser creates a user on whom an administrator can act
 */
export function reasonCases(
  json: { reason: string },
  newUser: (world: World) => Promise<{ id: number }> = (world) => world.person(),
): { 422: Cases } {
  const cases: Cases = {
    ...asAdmin({
      'rejects a missing reason': async (send, world, t) => {
        const received = await send({ ...userPath(await world.person()), json: {} })
        t.same(received.body.data.codes, { reason: ['required'] })
        return received
      },
      'rejects a blank reason': async (send, world, t) => {
        const received = await send({ ...userPath(await world.person()), json: { reason: '  ' } })
        t.same(received.body.data.codes, { reason: ['wrong_format'] })
        return received
      },
      'rejects a reason that is too long': async (send, world, t) => {
        const sent = userPath(await newUser(world))
        t.ok((await send({ ...sent, json: { reason: 'ي'.repeat(500) } })).status < 300)
        const received = await send({ ...sent, json: { reason: 'ي'.repeat(501) } })
        t.same(received.body.data.codes, { reason: ['too_long'] })
        return received
      },
    }),
    'rejects administrators acting on their own account': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const received = await send({ ...userPath(admin), json, token })
      t.same(received.body.data.codes, { user_id: ['own_account'] })
      t.equal((await world.send('checkAdmin')({ token })).status, 200)
      return received
    },
  }
  return { 422: cases }
}

/** Returns the items of all pages of a list. */
export async function allPages<Item>(
  send: Send,
  query: NonNullable<Sent['query']>,
  itemsIn: (received: Received) => Item[],
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const received = await send({ query: { ...query, ...(cursor !== undefined && { cursor }) } })
    items.push(...itemsIn(received))
    cursor = received.body.data.next_cursor as string | null
  }
  return items
}

/** Returns the same cases with the access token of a new administrator in each request. */
export function asAdmin(cases: Cases): Cases {
  return withToken(cases, { isAdmin: true })
}
