// The example of a webhook receiver in docs/guides/en/webhooks.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { adminToken, userPath } from '../../support/cases/administration.ts'
import { exampleIn } from '../../support/processes/readme.ts'
import { SECRET } from '../../support/servers/receiver.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

void t.test('the receiver in docs/guides/en/webhooks.md accepts events with a valid signature only', async (t) => {
  const source = exampleIn('docs/guides/en/webhooks.md', 'js', 'import { createServer }')
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
  const received = once(lines, 'line')
  await world.send('adminSuspendUser')({ ...userPath(person), token: await adminToken(world), json: { reason: 'why' } })
  t.same(await received, [`account.suspended { account_id: ${person.id} }`])
})
