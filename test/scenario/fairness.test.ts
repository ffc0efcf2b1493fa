// One account or network that asks for much, beside others.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import type { OperationId } from '../../src/contract.ts'
import { accountRequester, networkRequester } from '../../src/domain/requester.ts'
import { image } from '../support/files.ts'
import { clientForm } from '../support/profile-forms.ts'
import { clientRegistration } from '../support/registrations.ts'
import type { Sent } from '../support/sender.ts'
import { openService } from '../support/service.ts'
import { openWorld, PASSWORD, type Person, type World } from '../support/world.ts'

/** Dear enough for a queue to form, in one thread */
const COST = 10
const UPDATES = 30

const service = await openService({ config: { bcryptCost: COST, passwordThreads: 1 } })
t.teardown(() => service.close())

/** Keeps full what an account or a network may have waiting; returns what empties it. */
function fill({ service: { app } }: World, owner: { owner: string }): () => Promise<unknown> {
  const leaving = new AbortController()
  const requester = { ...owner, abandoned: leaving.signal }
  const hashes = Array.from({ length: LIMITS.queues.hashes_per_owner + 1 }, async () => {
    while (!leaving.signal.aborted) await app.context.passwords.hash(PASSWORD, requester).catch(() => sleep(1))
  })
  return () => {
    leaving.abort()
    return Promise.all(hashes)
  }
}

void t.test('password updates of one account do not delay the login of a stranger', async (t) => {
  const world = await openWorld(service)
  const stranger = await (await openWorld(service)).person()
  const person = await world.person()
  const token = await person.token()
  let updated = 0
  const form = clientForm(person, { password: PASSWORD })
  const updates = Array.from({ length: UPDATES }, () =>
    world
      .send('updateProfile')({ token, form })
      .then(({ status }) => {
        t.ok(status === 200 || status === 403, 'the first one ends the recent authentication of the others')
        updated++
      }),
  )
  await Promise.any(updates)
  const before = updated
  await stranger.token()
  t.ok(updated - before < UPDATES / 2, `${updated - before} of ${UPDATES} updates went first`)
  await Promise.all(updates)
})

void t.test('images of one account do not delay the photo of a stranger', async (t) => {
  const world = await openWorld(service)
  const [person, stranger] = [await world.person(), await world.person()]
  const [token, other] = [await person.token(), await stranger.token()]
  const large = new Blob([Buffer.from(await image('jpeg', 2000, 2000))])
  const photo = new Blob([Buffer.from(await image())])
  const answers: string[] = []
  const stored = (): number => answers.filter((answer) => answer.startsWith('200')).length
  const updates = Array.from({ length: 1.5 * LIMITS.queues.images_per_account }, async () => {
    const form = clientForm(person, { profile_photo: large })
    const { status, headers } = await world.send('updateProfile')({ token, form })
    answers.push(`${status} ${headers['error-code'] ?? ''} ${headers['retry-after'] ?? ''}`)
  })
  while (stored() === 0) await sleep(10)
  const before = stored()
  const form = clientForm(stranger, { profile_photo: photo })
  t.equal((await world.send('updateProfile')({ token: other, form })).status, 200)
  t.ok(stored() - before < 0.75 * LIMITS.queues.images_per_account, `${stored() - before} of them went first`)
  await Promise.all(updates)
  t.same([...new Set(answers)].sort(), ['200  ', `503 overloaded ${LIMITS.queues.retry_seconds}`])
})

type Case = { id: OperationId; isAccount: boolean; sent: (person: Person) => Promise<Sent> | Sent }

const NEW_PASSWORD = 'another horse battery'
const cases: Case[] = [
  { id: 'login', isAccount: false, sent: ({ email }) => ({ json: { email, password: PASSWORD } }) },
  { id: 'register', isAccount: false, sent: () => ({ json: clientRegistration({ password: PASSWORD }) }) },
  {
    id: 'changePassword',
    isAccount: true,
    sent: async (person) => ({
      token: await person.token(),
      json: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    }),
  },
  {
    id: 'updateProfile',
    isAccount: true,
    sent: async (person) => ({ token: await person.token(), form: clientForm(person, { password: NEW_PASSWORD }) }),
  },
  {
    id: 'requestAccountDeletion',
    isAccount: true,
    sent: async (person) => ({ token: await person.token(), json: { password: PASSWORD } }),
  },
]

for (const { id, isAccount, sent } of cases) {
  const whose = isAccount ? 'account' : 'network'
  void t.test(`${id}: refuses what does not fit into the queue of its ${whose}, and nobody else's`, async (t) => {
    const [world, elsewhere] = [await openWorld(service), await openWorld(service)]
    const [person, other] = [await world.person(), await elsewhere.person()]
    const [request, others] = [await sent(person), await sent(other)]
    const empty = fill(world, isAccount ? accountRequester(person.id) : networkRequester(world.address))
    const refused = await world.send(id)(request)
    t.match([refused.status, refused.headers], [503, { 'error-code': 'overloaded', 'retry-after': /\d/ }])
    t.ok((await elsewhere.send(id)(others)).status < 300, 'others are served')
    await empty()
    t.ok((await world.send(id)(request)).status < 300, 'later it is served')
  })
}

void t.test('work of clients that have left is not begun', async (t) => {
  const world = await openWorld(service)
  const empty = fill(world, networkRequester('another network'))
  const failed = async (): Promise<number> =>
    world.service.database.prisma.auditEvent.count({ where: { event: 'login_failed', address: world.address } })
  const json = (at: number): string => JSON.stringify({ email: `nobody-${at}@example.org`, password: PASSWORD })
  const sockets = Array.from({ length: 20 }, (_, at) => {
    const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', `X-Forwarded-For: ${world.address}`]
    const body = json(at)
    const lines = [...head, 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const socket = connect(Number(new URL(world.service.origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    return socket
  })
  while ((await failed()) === 0) await sleep(10) // the service has got them
  for (const socket of sockets) socket.destroy()
  await empty()
  t.equal((await world.send('login')({ json: JSON.parse(json(99)) as object })).status, 401) // which comes after them
  t.ok((await failed()) < 15, `${await failed()} of 21 were begun`)
})
