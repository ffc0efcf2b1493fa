// The session that applications read, and stores outside of pages.
import { createTawthiq, memoryStore, type Session, type Store } from '@tawthiq/sdk'
import { createAdmin } from '@tawthiq/sdk/admin'
import { webStore, type WebStorage } from '@tawthiq/sdk/web'
import t from 'tap'
import { newAddress, verificationTo } from '../support/accounts/emails.ts'
import { clientOf, loggedIn, type TestClient } from '../support/sdk/clients.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

const REFRESH = '/api/v1/auth/refresh'
const MINUTE_MS = 60_000

/** Changes when the access token of a stored session expires, by the clock of the client. */
async function expireIn(store: Store, ms: number): Promise<void> {
  const session = await store.get()
  if (session) await store.set({ ...session, expiresAt: Date.now() + ms })
}

function refreshesOf({ requests }: TestClient): number {
  return requests.filter((path) => path === REFRESH).length
}

void t.test('returns the session with its user, and undefined without one', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = clientOf(world)
  t.equal(await tawthiq.getSession(), undefined)
  t.equal(await tawthiq.getAccessToken(), undefined)
  const seen: (Session | undefined)[] = []
  tawthiq.onSession((session) => seen.push(session))
  await tawthiq.auth.login({ email: person.email, password: PASSWORD })
  const user = { id: person.id, email: person.email }
  t.match(await tawthiq.getSession(), { user, token: /\./, refreshToken: /./ })
  t.match(seen, [undefined, { user }])
  await tawthiq.auth.logout()
  t.equal(await tawthiq.getSession(), undefined)
})

void t.test('shows the new address of the user in the session after it was confirmed', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const store = memoryStore()
  const tawthiq = await loggedIn(world, person, { store })
  const shown: (string | undefined)[] = []
  tawthiq.onSession((session) => shown.push(session?.user.email))
  const email = newAddress()
  const { user } = await tawthiq.profile.patch({ email })
  t.same([user.email, user.pending_email], [person.email, email])
  const before = await tawthiq.getSession()
  t.equal(before?.user.email, person.email)
  await tawthiq.auth.confirmEmail({ by: 'token', token: (await verificationTo(world, email)).token })
  t.same(await tawthiq.getSession(), { ...before, user: { id: person.id, email } }, 'only the address is stored')
  t.same(shown, [person.email, email])
  t.match(await createTawthiq({ url: world.service.origin, store }).getSession(), { user: { email } })
})

void t.test('shows the address of a profile in the session, if it is that of the user', async (t) => {
  const world = await openWorld()
  const administrator = await world.person({ isAdmin: true })
  const other = await world.person()
  const tawthiq = await loggedIn(world, administrator)
  await createAdmin(tawthiq).users.get(other.id)
  t.match(await tawthiq.getSession(), { user: { id: administrator.id, email: administrator.email } })
  const email = newAddress()
  await world.service.database.prisma.account.update({ where: { id: administrator.id }, data: { email } })
  await tawthiq.profile.get()
  t.match(await tawthiq.getSession(), { user: { id: administrator.id, email } })
})

void t.test('confirms an address without a session with one request', async (t) => {
  const world = await openWorld()
  const email = newAddress()
  await (await loggedIn(world, await world.person())).profile.patch({ email })
  const stranger = clientOf(world)
  await stranger.auth.confirmEmail({ by: 'token', token: (await verificationTo(world, email)).token })
  t.same(stranger.requests, ['/api/v1/auth/email/confirm'])
})

void t.test('returns the stored access token while it is valid for a minute or more', async (t) => {
  const world = await openWorld()
  const store = memoryStore()
  const tawthiq = await loggedIn(world, await world.person(), { store })
  const session = await tawthiq.getSession()
  await expireIn(store, MINUTE_MS + 30_000)
  t.equal(await tawthiq.getAccessToken(), session?.token)
  t.equal(refreshesOf(tawthiq), 0)
  world.wait(1000) // a token of another second is another token
  await expireIn(store, MINUTE_MS)
  const fresh = await tawthiq.getAccessToken()
  t.not(fresh, session?.token)
  t.equal(refreshesOf(tawthiq), 1)
  t.equal((await tawthiq.getSession())?.token, fresh)
  t.ok(((await tawthiq.getSession())?.expiresAt ?? 0) > Date.now() + 50 * MINUTE_MS)
})

void t.test('refreshes once for the calls of two tabs that need an access token', async (t) => {
  const world = await openWorld()
  const storage = memory()
  const [one, two] = [webStore('tawthiq', storage), webStore('tawthiq', storage)]
  const first = await loggedIn(world, await world.person(), { store: one })
  const second = clientOf(world, { store: two })
  world.wait(1000)
  await expireIn(one, 0)
  const tokens = await Promise.all([first, first, second, second].map((each) => each.getAccessToken()))
  t.equal(new Set(tokens).size, 1)
  t.equal(refreshesOf(first) + refreshesOf(second), 1)
})

void t.test('returns no access token when the session has ended', async (t) => {
  const world = await openWorld()
  const store = memoryStore()
  const tawthiq = await loggedIn(world, await world.person(), { store })
  const session = await store.get()
  if (session) await store.set({ ...session, refreshToken: 'damaged', expiresAt: 0 })
  t.equal(await tawthiq.getAccessToken(), undefined)
  t.equal(await store.get(), undefined)
})

function memory(): WebStorage {
  const content = new Map<string, string>()
  return {
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
  }
}

void t.test('has no session on servers and in workers, also if they have a localStorage', async (t) => {
  const scope = globalThis as { localStorage?: unknown }
  const { localStorage: before } = scope
  t.teardown(() => (scope.localStorage = before))
  for (scope.localStorage of [undefined, memory()]) {
    const store = webStore()
    const tawthiq = createTawthiq({ url: 'http://127.0.0.1:1', store })
    t.equal(await tawthiq.getSession(), undefined)
    t.equal(await tawthiq.getAccessToken(), undefined)
    await store.set(undefined)
    const session = { token: 'a', refreshToken: 'b', expiresAt: 0, user: { id: 1, email: 'a@example.org' } }
    t.throws(() => store.set(session), /memoryStore/)
    tawthiq.dispose()
  }
})

void t.test('stores the session in memory on pages that may not use localStorage', async (t) => {
  const scope = globalThis as { window?: unknown }
  t.teardown(() => delete scope.window)
  scope.window = {
    get localStorage() {
      throw new Error('SecurityError')
    },
  }
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person, { store: webStore() })
  t.equal((await tawthiq.profile.get()).user.email, person.email)
  world.wait(2 * 60 * MINUTE_MS)
  t.equal((await tawthiq.profile.get()).user.email, person.email, 'also after a refresh')
})

void t.test('ignores sessions of earlier versions, which have no user', async (t) => {
  const storage = memory()
  storage.setItem('tawthiq', JSON.stringify({ token: 'a.b.c', refreshToken: 'd' }))
  t.equal(await webStore('tawthiq', storage).get(), undefined)
})
