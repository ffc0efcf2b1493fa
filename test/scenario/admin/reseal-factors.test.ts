// The key of authenticator apps is rotated and the secrets are encrypted again, without effects for their owners.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { OperationId } from '../../../src/contract/operation.ts'
import { begin, codeAt } from '../../support/accounts/second-factors.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { startHere } from '../../support/processes/here.ts'
import { pooledDirectory } from '../../support/service/embedded-databases.ts'
import { sender, type Send } from '../../support/service/sender.ts'
import { tokensIn } from '../../support/service/world.ts'

const ADMINISTRATOR = { email: 'admin@demo.test', password: 'Tawthiq-demo-1' }

type KeyFile = { factors: { kid: string }[] }

void t.test('moves the secrets of apps to the newest key, so that the others can be removed', async (t) => {
  const folder = await pooledDirectory(t)
  const path = join(folder, 'keys.json')
  const admin = adminIn({ DATA_DIR: folder })
  const first = await startHere({ DATA_DIR: folder })
  const send = (origin: string, id: OperationId): Send => sender(origin, id, '192.0.2.1')
  const { token } = tokensIn(await send(first.origin, 'login')({ json: ADMINISTRATOR }))
  const world = { send: (id: OperationId) => send(first.origin, id) } as Parameters<typeof begin>[0]
  const { secret } = await begin(world, token, { password: ADMINISTRATOR.password })
  const confirmed = await send(first.origin, 'confirmTotp')({ token, json: { code: codeAt(secret, Date.now()) } })
  t.equal(confirmed.status, 200)
  await first.close()

  t.match((await admin('reseal-factors')).said, 'first key: 0. Already encrypted with it: 1.')
  t.match((await admin('rotate-keys', 'factors')).said, 'do not remove that key before reseal-factors')
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  t.equal(file.factors.length, 2)
  t.match((await admin('reseal-factors')).said, 'first key: 1. Already encrypted with it: 0.')

  const [newest, earlier] = file.factors
  writeFileSync(path, JSON.stringify({ ...file, factors: [earlier] }), { mode: 0o600 })
  const { code, complained } = await admin('reseal-factors')
  t.equal(code, 1)
  t.match(complained, 'Secrets that no key decrypts: 1. Add the keys')
  writeFileSync(path, JSON.stringify({ ...file, factors: [newest] }), { mode: 0o600 })
  const second = await startHere({ DATA_DIR: folder })
  t.teardown(() => second.close())
  const login = { ...ADMINISTRATOR, code: codeAt(secret, Date.now() + 30_000) } // the code of this step was used
  t.equal((await send(second.origin, 'login')({ json: login })).status, 200)
})
