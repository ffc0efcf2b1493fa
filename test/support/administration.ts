// Those who administer, those who are administered, and what can happen to any of their requests.
import type { OperationId } from '../../src/contract.ts'
import { bodyStories, commonStories, tokenStories, withToken } from './common-stories.ts'
import type { Story, Told } from './contract.ts'
import type { Received } from './answers.ts'
import { nationalIdOf } from './national-ids.ts'
import type { Send, Sent } from './sender.ts'
import type { Person, World } from './world.ts'

/** The token of a new administrator */
export async function adminToken(world: World): Promise<string> {
  return (await world.person({ isAdmin: true })).token()
}

/** The path of a user */
export function of({ id }: { id: number }): { path: { user_id: string } } {
  return { path: { user_id: String(id) } }
}

type Credentials = { nationalId?: string; identityType?: number; licences?: Record<number, string> }

/** A lawyer whose profile is complete, not reviewed yet, with a national ID that no other account has unless it is given */
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

/** The version of the reviewed data of a lawyer, as administrators see it */
export async function reviewVersionOf(world: World, { id }: Person): Promise<number> {
  const { prisma } = world.service.database
  return (await prisma.lawyerProfile.findUniqueOrThrow({ where: { accountId: id } })).reviewVersion
}

/** The events of an account, the oldest first */
export function eventsOf(
  world: World,
  accountId: number,
): Promise<{ event: string; actorId: number | null; reason: string | null; subject: string | null }[]> {
  const select = { event: true, actorId: true, reason: true, subject: true }
  return world.service.database.prisma.auditEvent.findMany({ where: { accountId }, select, orderBy: { id: 'asc' } })
}

type Common = Record<400 | 401 | 403 | 429 | 500 | 503, Told>

/**
 * What can happen to any request of an administrator.
 *
 * @param good what else a request has that would succeed
 */
export function adminStories(id: OperationId, good: (world: World) => Promise<Sent>): Common {
  const common = commonStories(
    id,
    async (world) => ({ token: await adminToken(world), ...(await good(world)) }),
    'store',
  )
  const isRefused: Story = async (send, world, t) => {
    const person = await world.person()
    const sent = { token: await person.token(), ...(await good(world)) }
    await send(sent)
    const received = await send(sent)
    t.equal(received.headers['error-code'], 'admin_required')
    const refusals = (await eventsOf(world, person.id)).filter(({ event }) => event === 'admin_refused')
    t.equal(refusals.length, 1, 'the first is recorded')
    return received
  }
  const wasOne: Story = async (send, world, t) => {
    const admin = await world.person({ isAdmin: true })
    const token = await admin.token()
    await world.service.database.prisma.account.update({ where: { id: admin.id }, data: { isAdmin: false } })
    const received = await send({ token, ...(await good(world)) })
    t.equal(received.headers['error-code'], 'admin_required')
    return received
  }
  const promoted = async (world: World, person: Person): Promise<Sent> => {
    await world.service.database.prisma.account.update({ where: { id: person.id }, data: { isAdmin: true } })
    return good(world)
  }
  return {
    ...common,
    ...tokenStories(promoted),
    403: { 'somebody who is no administrator': isRefused, 'somebody who was one a moment ago': wasOne },
  }
}

/** What can happen to any body that an administrator sends. */
export function adminBodyStories(good: object): Record<400 | 413 | 415, Told> {
  const { 400: malformed, 413: large, 415: foreign } = bodyStories(good)
  return { 400: asAdmin(malformed), 413: asAdmin(large), 415: asAdmin(foreign) }
}

/** What can happen to any request about a user whom there is not. */
export function unknownUserStories(rest: Sent = {}): { 404: Told; 422: Told } {
  const unknown: Story = async (send, _world, t) => {
    const received = await send({ ...of({ id: 2_000_000_000 }), ...rest })
    t.equal(received.headers['error-code'], 'user_unknown')
    return received
  }
  const noNumber: Story = async (send, _world, t) => {
    for (const user_id of ['0x10', '1e3', '1.0', '+1']) {
      t.equal((await send({ path: { user_id }, ...rest })).status, 422, user_id)
    }
    const received = await send({ path: { user_id: 'me' }, ...rest })
    t.same(received.body.data.codes, { user_id: ['wrong_type'] })
    return received
  }
  const tooLarge: Story = (send) => send({ path: { user_id: '4294967296' }, ...rest })
  return {
    404: asAdmin({ 'nobody has this number': unknown }),
    422: asAdmin({ 'no number': noNumber, 'a number that no account can have': tooLarge }),
  }
}

/** What can be wrong with the reason for a deed, and with whom it is done to. */
export function reasonStories(json: { reason: string }): { 422: Told } {
  const stories: Told = {
    ...asAdmin({
      'no reason': async (send, world, t) => {
        const received = await send({ ...of(await world.person()), json: {} })
        t.same(received.body.data.codes, { reason: ['required'] })
        return received
      },
      'a reason of spaces': async (send, world, t) => {
        const received = await send({ ...of(await world.person()), json: { reason: '  ' } })
        t.same(received.body.data.codes, { reason: ['wrong_format'] })
        return received
      },
      'a reason that is too long': async (send, world, t) => {
        const sent = of(await world.person())
        t.equal((await send({ ...sent, json: { reason: 'ي'.repeat(500) } })).status, 200)
        const received = await send({ ...sent, json: { reason: 'ي'.repeat(501) } })
        t.same(received.body.data.codes, { reason: ['too_long'] })
        return received
      },
    }),
    'the account of the administrator': async (send, world, t) => {
      const admin = await world.person({ isAdmin: true })
      const token = await admin.token()
      const received = await send({ ...of(admin), json, token })
      t.same(received.body.data.codes, { user_id: ['own_account'] })
      t.equal((await world.send('checkAdmin')({ token })).status, 200)
      return received
    },
  }
  return { 422: stories }
}

/** What is in a list, page by page. */
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

/** The same stories, each request with the token of an administrator. */
export function asAdmin(told: Told): Told {
  return withToken(told, { isAdmin: true })
}
