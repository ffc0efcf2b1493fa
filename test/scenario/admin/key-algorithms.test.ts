// The algorithm of access tokens changes while two instances serve requests, and no valid token is rejected.
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { newKeys, parseKeyFile } from '../../../src/adapters/keys/index.ts'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { adminIn } from '../../support/processes/admin-command.ts'
import { keyFileWith } from '../../support/processes/key-files.ts'
import { sender } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, tokensIn, type Tokens } from '../../support/service/world.ts'

const CLIENTS = 4
const STEP_MS = 60_000
/** More minutes than a new key of access tokens waits */
const STEPS = 9

type Jwks = { keys: { kid: string; alg: string }[] }

function headerOf({ token }: Tokens): { alg: string; kid: string } {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg: string; kid: string }
}

void t.test('rotates EdDSA to ES256 and back under load', async (t) => {
  const path = keyFileWith()
  const service = await openService({ config: { keys: { file: path } } })
  const second = await openApp(service.config, service.dependencies)
  t.teardown(() => second.close().then(() => service.close()))
  const origins = [service.origin, await second.server.listen({ host: '127.0.0.1', port: 0 })]
  const world = await openWorld(service)
  const send = (at: number, id: OperationId): ReturnType<typeof sender> =>
    sender(origins[at % 2] ?? '', id, world.address)

  const rejected: string[] = []
  let isOver = false
  let served = 0
  /** Refreshes at one instance, and uses the new and the previous access token at the other one, again and again. */
  const load = async (tokens: Tokens): Promise<void> => {
    for (let at = 0, last = tokens; !isOver; at++, served++) {
      const received = await send(at, 'refreshToken')({ json: { refresh_token: last.refresh } })
      const next = received.status === 200 ? tokensIn(received) : last
      for (const used of [last, next]) {
        const { status, headers } = await send(at + 1, 'checkToken')({ token: used.token })
        if (status !== 200 || next === last) rejected.push(`${headerOf(used).alg} ${headers['error-code'] ?? ''}`)
      }
      last = next
      await turn()
    }
  }
  const person = await world.person()
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => person.logIn()))
  const running = clients.map(load)
  const pass = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      world.wait(STEP_MS)
      for (const app of [second, service.app]) await app.reloadKeys()
    }
  }
  const admin = adminIn({ KEYS_FILE: path })
  const algorithms = [headerOf(await person.logIn()).alg]
  for (const words of [['--algorithm', 'ES256'], [], ['--prepare', '--algorithm', 'EdDSA'], []]) {
    t.equal((await admin('rotate-keys', ...words)).code, 0)
    const before = served
    await pass(STEPS)
    algorithms.push(headerOf(await person.logIn()).alg)
    t.ok(served > before, 'requests were served meanwhile')
  }
  isOver = true
  await Promise.all(running)
  t.same(algorithms, ['EdDSA', 'ES256', 'ES256', 'ES256', 'EdDSA'], 'a rotation keeps the algorithm')
  t.same(rejected, [])

  const { keys } = (await (await fetch(`${service.origin}/api/v1/auth/jwks`)).json()) as Jwks
  t.same(
    keys.map(({ kid, alg }) => [kid, alg]),
    parseKeyFile(readFileSync(path, 'utf8'), 'test').tokens.map(({ kid, kty }) => [
      kid,
      kty === 'EC' ? 'ES256' : 'EdDSA',
    ]),
  )
})

void t.test('states what it does not rotate to', async (t) => {
  const path = keyFileWith(newKeys('ES256'))
  const admin = adminIn({ KEYS_FILE: path })
  await admin('rotate-keys', '--prepare')
  const { code, complained } = await admin('rotate-keys', '--algorithm', 'EdDSA')
  t.equal(code, 1)
  t.match(complained, /^The prepared key k-\S+ is for ES256\. Rotate to it without --algorithm first, or remove it\.$/)
  t.equal((await admin('rotate-keys', '--algorithm', 'ES256')).code, 0)
})
