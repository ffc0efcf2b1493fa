// A migration changes the types of columns under a running service: no request fails.
import t from 'tap'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { openWorld, PASSWORD } from '../../support/service/world.ts'

/** Columns that the requests below read, with their types and other types for a while */
const CHANGES = [
  ['accounts', 'password_hash', 'varchar(100)', 'varchar(120)'],
  ['sessions', 'user_agent', 'varchar(256)', 'varchar(260)'],
] as const

void t.test('no request fails while columns change', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const requests = [
    () => world.send('getProfile')({ token }),
    () => world.send('checkToken')({ token }),
    () => world.send('listSessions')({ token }),
    () => world.send('updateProfile')({ token, form: clientForm(person) }),
    () => world.send('login')({ json: { email: person.email, password: PASSWORD } }),
  ]
  const failures: unknown[] = []
  let sent = 0
  let isDone = false
  const client = async (send: (typeof requests)[number]): Promise<void> => {
    while (!isDone) {
      const { status, body } = await send()
      sent++
      if (status !== 200) failures.push({ status, body })
    }
  }
  const clients = Promise.all(requests.map(client))
  const change = async (at: 2 | 3): Promise<void> => {
    for (const each of CHANGES) {
      const enough = sent + requests.length
      while (sent < enough) await Promise.race([clients, new Promise(setImmediate)])
      await world.service.asOwner(`ALTER TABLE ${each[0]} ALTER ${each[1]} TYPE ${each[at]}`)
    }
  }
  await change(3)
  await change(2)
  isDone = true
  await clients
  for (const send of requests) t.equal((await send()).status, 200)
  t.same(failures, [], `${sent} requests`)
})
