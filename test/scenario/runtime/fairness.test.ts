// One account or network that sends many requests does not delay others.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { LIMITS } from '../../../generated/limits.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { accountRequester, networkRequester } from '../../../src/domain/requester.ts'
import { image } from '../../support/files/files.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { clientRegistration } from '../../support/accounts/registrations.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, PASSWORD, type Person, type World } from '../../support/service/world.ts'

/** Expensive enough for a queue to form in one thread, and to outlast the statements of a login on a busy machine */
const COST = 9
const UPDATES = 24

const service = await openService({ config: { bcryptCost: COST, passwordThreads: 1 } })
t.teardown(() => service.close())

/** Fills the queue of an account or a network; returns a function that empties it. */
function fill({ service: { app } }: World, owner: { owner: string }): () => Promise<unknown> {
  const abort = new AbortController()
  const requester = { ...owner, abandoned: abort.signal }
  const hashes = Array.from({ length: LIMITS.queues.hashes_per_owner + 1 }, async () => {
    while (!abort.signal.aborted) await app.context.passwords.hash(PASSWORD, requester).catch(() => sleep(1))
  })
  return () => {
    abort.abort()
    return Promise.all(hashes)
  }
}

void t.test("does not delay other logins by one account's password updates", async (t) => {
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
  t.ok(updated - before < UPDATES / 2, `${updated - before} of ${UPDATES} updates were processed first`)
  await Promise.all(updates)
})

void t.test("does not delay other photos by one account's images", async (t) => {
  const world = await openWorld(service)
  const [person, stranger] = [await world.person(), await world.person()]
  const [token, other] = [await person.token(), await stranger.token()]
  const large = new Blob([Buffer.from(await image('jpeg', 800, 800))])
  const photo = new Blob([Buffer.from(await image())])
  const responses: string[] = []
  const stored = (): number => responses.filter((response) => response.startsWith('200')).length
  const updates = Array.from({ length: 1.5 * LIMITS.queues.images_per_account }, async () => {
    const form = clientForm(person, { profile_photo: large })
    const { status, headers } = await world.send('updateProfile')({ token, form })
    responses.push(`${status} ${headers['error-code'] ?? ''} ${headers['retry-after'] ?? ''}`)
  })
  while (stored() === 0) await sleep(10)
  const before = stored()
  const form = clientForm(stranger, { profile_photo: photo })
  t.equal((await world.send('updateProfile')({ token: other, form })).status, 200)
  t.ok(stored() - before < 0.75 * LIMITS.queues.images_per_account, `${stored() - before} of them were processed first`)
  await Promise.all(updates)
  t.same([...new Set(responses)].sort(), ['200  ', `503 overloaded ${LIMITS.queues.retry_seconds}`])
})

type Case = { id: OperationId; isAccount: boolean; sent: (person: Person) => Promise<Sent> | Sent }

const NEW_PASSWORD = 'olive3kayak'
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
  void t.test(
    `${id}: rejects requests that do not fit into the queue of their ${whose}, and serves others`,
    async (t) => {
      const [world, elsewhere] = [await openWorld(service), await openWorld(service)]
      const [person, other] = [await world.person(), await elsewhere.person()]
      const [request, others] = [await sent(person), await sent(other)]
      const empty = fill(world, isAccount ? accountRequester(person.id) : networkRequester(world.address))
      const refused = await world.send(id)(request)
      t.match([refused.status, refused.headers], [503, { 'error-code': 'overloaded', 'retry-after': /\d/ }])
      t.ok((await elsewhere.send(id)(others)).status < 300, 'others are served')
      await empty()
      t.ok((await world.send(id)(request)).status < 300, 'it is served after the queue has emptied')
    },
  )
}

void t.test('does not start work of disconnected clients', async (t) => {
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
  while ((await failed()) === 0) await sleep(10) // the service has received them
  for (const socket of sockets) socket.destroy()
  await empty()
  t.equal((await world.send('login')({ json: JSON.parse(json(99)) as object })).status, 401) // queued after them
  t.ok((await failed()) < 15, `${await failed()} of 21 were started`)
})
