// The receiver of events that README shows, as it stands there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import t from 'tap'
import { adminToken, of } from '../support/administration.ts'
import { SECRET } from '../support/receiver.ts'
import { openService } from '../support/service.ts'
import { openWorld } from '../support/world.ts'

void t.test('the receiver in README takes events whose signature is right, and no others', async (t) => {
  const source = /```js\n(import \{ createServer \}[\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
  const onFreePort = source.replace('.listen(4000)', '.listen(0, function () { console.log(this.address().port) })')
  t.not(onFreePort, source)
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', onFreePort], {
    env: { EVENTS_WEBHOOK_SECRETS: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => receiver.kill())
  const lines = createInterface(receiver.stdout)
  const [port] = (await once(lines, 'line')) as [string]
  const url = `http://127.0.0.1:${port}/`
  t.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400)

  const service = await openService({ config: { events: { url, secrets: [SECRET] } } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const person = await world.person()
  const told = once(lines, 'line')
  await world.send('adminSuspendUser')({ ...of(person), token: await adminToken(world), json: { reason: 'why' } })
  t.same(await told, [`account.suspended { account_id: ${person.id} }`])
})
