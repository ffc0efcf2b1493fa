// Sessions of the SDK: storing, refreshing and ending them.
import { createTawthiq, memoryStore, type Session, type Store } from '@tawthiq/sdk'
import { toForm } from '@tawthiq/sdk/forms'
import { webStore, type WebStorage } from '@tawthiq/sdk/web'
import t from 'tap'
import { asForm, clientOf, loggedIn } from '../support/sdk/clients.ts'
import { openWorld, PASSWORD, type World } from '../support/service/world.ts'

const HOUR_MS = 3_600_000
const REFRESH = '/api/v1/auth/refresh'

function memory(): WebStorage & { content: Map<string, string> } {
  const content = new Map<string, string>()
  return {
    content,
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
  }
}

function expireTokens(world: World): void {
  world.wait(HOUR_MS + 1000)
}

function sessionOf({ token, refresh }: { token: string; refresh: string }): Omit<Session, 'user'> {
  return { token, refreshToken: refresh, expiresAt: Date.now() + HOUR_MS }
}

function countRefreshes(...clients: { requests: string[] }[]): number {
  return clients.flatMap(({ requests }) => requests).filter((path) => path === REFRESH).length
}

void t.test('refreshes an expired token once for parallel calls, and repeats each of them', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  expireTokens(world)
  const profiles = await Promise.all(Array.from({ length: 4 }, () => tawthiq.profile.get()))
  t.same(
    profiles.map(({ user }) => user.email),
    Array(4).fill(person.email),
  )
  t.equal(countRefreshes(tawthiq), 1)
})

void t.test('sends the body of a form again after a refresh', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const { user } = await tawthiq.profile.get()
  expireTokens(world)
  t.equal((await tawthiq.profile.update(asForm({ ...toForm(user), name: 'هند' }))).user.name, 'هند')
  t.equal(countRefreshes(tawthiq), 1)
})

void t.test('shares one refresh between two tabs with four calls each', async (t) => {
  const world = await openWorld()
  const storage = memory()
  const one = await loggedIn(world, await world.person(), { store: webStore('tawthiq', storage) })
  const two = clientOf(world, { store: webStore('tawthiq', storage) })
  expireTokens(world)
  await Promise.all([one, one, one, one, two, two, two, two].map(({ profile }) => profile.get()))
  t.equal(countRefreshes(one, two), 1)
})

void t.test('refreshes after the tab that claimed the refresh was closed', async (t) => {
  const world = await openWorld()
  const storage = memory()
  const tawthiq = await loggedIn(world, await world.person(), { store: webStore('tawthiq', storage) })
  storage.setItem('tawthiq.refresh', JSON.stringify({ by: 'a tab that was closed', until: Date.now() + 300 }))
  expireTokens(world)
  await tawthiq.profile.get()
  t.equal(countRefreshes(tawthiq), 1)
})

void t.test('ends the session when its refresh token is refused', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const seen: (Session | undefined)[] = []
  tawthiq.onSession((session) => seen.push(session))
  world.wait(31 * 24 * HOUR_MS)
  await t.rejects(tawthiq.profile.get(), { code: 'token_expired' })
  t.equal(seen.at(-1), undefined)
  await t.rejects(tawthiq.profile.get(), { code: 'token_missing' })
})

void t.test('ends the session when it was revoked elsewhere', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const other = await loggedIn(world, person)
  await other.sessions.revokeOthers()
  await t.rejects(tawthiq.profile.get(), { code: 'token_revoked' })
  await t.rejects(tawthiq.profile.get(), { code: 'token_missing' })
})

void t.test('keeps the session when a refresh cannot reach the service', async (t) => {
  const world = await openWorld()
  const store = memoryStore()
  await loggedIn(world, await world.person(), { store })
  const before = await store.get()
  expireTokens(world)
  const offline = clientOf(world, {
    store,
    timeout: 5000,
    fetch: async (url, init) => {
      if (url.endsWith(REFRESH)) throw new TypeError('no connection')
      return fetch(url, init)
    },
  })
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 50)
  await t.rejects(offline.profile.get({ signal: controller.signal }), { code: 'aborted' })
  t.same(await store.get(), before)
  offline.dispose()
})

void t.test('repeats a refresh whose response was lost', async (t) => {
  const world = await openWorld()
  const store = memoryStore()
  const person = await world.person()
  await loggedIn(world, person, { store })
  expireTokens(world)
  let refreshes = 0
  const tawthiq = clientOf(world, {
    store,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (url.endsWith(REFRESH) && ++refreshes === 1) throw new TypeError('connection lost')
      return response
    },
  })
  t.equal((await tawthiq.profile.get()).user.email, person.email)
  t.equal(refreshes, 2)
})

void t.test('uses the tokens that another tab stored in the meantime', async (t) => {
  const world = await openWorld()
  const storage = memory()
  const person = await world.person()
  const [one, two] = [webStore('tawthiq', storage), webStore('tawthiq', storage)]
  const stale = await loggedIn(world, person, { store: one })
  const fresh = clientOf(world, { store: two })
  await fresh.profile.changePassword({ current_password: PASSWORD, new_password: 'another good phrase' })
  t.equal((await stale.profile.get()).user.email, person.email)
  t.equal(countRefreshes(stale), 0)
})

void t.test('does not send a refresh token again that another tab has used while this one slept', async (t) => {
  const world = await openWorld()
  const store = memoryStore()
  const person = await world.person()
  await loggedIn(world, person, { store })
  expireTokens(world)
  const other = clientOf(world, { store })
  let refreshes = 0
  const sleeping = clientOf(world, {
    store,
    fetch: async (url, init) => {
      if (!url.endsWith(REFRESH)) return fetch(url, init)
      refreshes++
      await other.profile.get()
      throw new TypeError('connection lost')
    },
  })
  t.equal((await sleeping.profile.get()).user.email, person.email)
  t.equal(refreshes, 1)
})

void t.test('waits for the session of a reauthentication before a rejected token ends the session', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const store = memoryStore()
  await loggedIn(world, person, { store })
  let release = (): void => undefined
  const polled = new Promise<void>((resolve) => (release = resolve))
  let replaced = (): void => undefined
  const isReplaced = new Promise<void>((resolve) => (replaced = resolve))
  const tawthiq = clientOf(world, {
    store,
    fetch: async (url, init) => {
      const isPoll = url.endsWith('/profile')
      if (isPoll) await isReplaced
      const response = await fetch(url, init)
      if (isPoll) release()
      else {
        replaced()
        await polled // the response arrives after that of the poll
      }
      return response
    },
  })
  const seen: (Session | undefined)[] = []
  tawthiq.onSession((session) => seen.push(session))
  const [, { user }] = await Promise.all([
    tawthiq.operation('reauthenticate', { method: 'password', password: PASSWORD }),
    tawthiq.profile.get(),
  ])
  t.equal(user.email, person.email)
  t.notOk(seen.includes(undefined), 'the user was never logged out')
})

void t.test('a store that cannot be read has no session, and causes no unhandled rejection', async (t) => {
  const world = await openWorld()
  const store: Store = { get: () => Promise.reject(new Error('locked')), set: () => undefined }
  const tawthiq = clientOf(world, { store })
  const seen = await new Promise((resolve) => tawthiq.onSession(resolve))
  t.equal(seen, undefined)
})

void t.test('never repeats a request as another account that logged in meanwhile', async (t) => {
  const world = await openWorld()
  const [one, two] = [await world.person(), await world.person()]
  const store = memoryStore()
  const tawthiq = await loggedIn(world, one, { store })
  const other = await two.logIn()
  let isFirst = true
  const slow = clientOf(world, {
    store,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (isFirst) await store.set({ ...sessionOf(other), user: { id: two.id, email: two.email } })
      isFirst = false
      return response
    },
  })
  await tawthiq.operation('listSessions', undefined)
  expireTokens(world)
  await t.rejects(slow.profile.get(), { code: 'token_expired' })
})

void t.test('notifies listeners at once and on every change', async (t) => {
  const world = await openWorld()
  const { email } = await world.person()
  const tawthiq = clientOf(world)
  const seen: boolean[] = []
  const stop = tawthiq.onSession((session) => seen.push(session !== undefined))
  await tawthiq.auth.login({ email, password: PASSWORD })
  await tawthiq.auth.logout()
  t.same(seen, [false, true, false])
  stop()
  await tawthiq.auth.login({ email, password: PASSWORD })
  t.equal(seen.length, 3)
})

void t.test('begins with a given session, and works with asynchronous stores', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const session = { ...sessionOf(await person.logIn()), user: { id: person.id, email: person.email } }
  const inner = memoryStore()
  const store: Store = {
    get: async () => inner.get(),
    set: async (session) => inner.set(session),
  }
  const tawthiq = clientOf(world, { store, session })
  t.equal((await tawthiq.profile.get()).user.email, person.email)
  await tawthiq.auth.logout()
  t.equal(await store.get(), undefined)
})

void t.test('stores the session in the storage of a page', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const storage = memory()
  const tawthiq = await loggedIn(world, person, { store: webStore('key', storage) })
  t.match(JSON.parse(storage.content.get('key') ?? ''), { token: /\./, refreshToken: /./, user: { id: person.id } })
  await tawthiq.auth.logout()
  t.same([...storage.content], [])
  storage.setItem('key', 'not JSON')
  await t.rejects(clientOf(world, { store: webStore('key', storage) }).profile.get(), { code: 'token_missing' })
})

void t.test('stops listening to a store when disposed', (t) => {
  let listening = 0
  const store: Store = {
    ...memoryStore(),
    subscribe: () => {
      listening++
      return () => listening--
    },
  }
  const tawthiq = createTawthiq({ url: 'http://127.0.0.1:1', store })
  t.equal(listening, 1)
  tawthiq.dispose()
  t.equal(listening, 0)
  t.end()
})
