// npm run admin -- mails lists the e-mails of the outbox without personal data, and retries those that wait.
import t from 'tap'
import { parseCommand } from '../../../src/cli/admin/arguments.ts'
import { runMailCommand } from '../../../src/cli/admin/mails.ts'
import { openMailServer } from '../../support/servers/mail-server.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld } from '../../support/service/world.ts'

void t.test('lists waiting and failed e-mails, and retries those that wait after a failure', async (t) => {
  const server = await openMailServer(t)
  const mail = {
    url: server.url,
    requiresTls: false,
    from: 'a@example.org',
    resetUrl: undefined,
    emailUrl: undefined,
    factorResetUrl: undefined,
  }
  const service = await openService({ config: { mail } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  const { context } = service.app
  const [greylisted, rejected] = [await world.person(), await world.person()]
  await context.background.settle(20_000)
  const run = (...given: string[]): Promise<string> => {
    const command = parseCommand(['mails', ...given])
    if (command.name !== 'mails') throw new Error(command.name)
    return runMailCommand(command, context.store.mailListing)
  }
  const requestReset = async ({ email }: { email: string }): Promise<void> => {
    await world.send('requestPasswordReset')({ json: { by: 'email', email } })
    await service.app.deliverMails()
    await context.background.settle(20_000)
  }
  t.equal(await run(), 'No e-mail waits.')
  t.equal(await run('--failed'), 'No e-mail has failed in the last 7 days.')

  server.failAt({ step: 'recipient', code: 450 })
  await requestReset(greylisted)
  server.failAt({ step: 'recipient', code: 550, text: '5.1.1 No such user' })
  await requestReset(rejected)
  const [waiting, failed] = [await run(), await run('--failed')]
  t.match(waiting, new RegExp(`account ${greylisted.id} .*1 attempts  next attempt .*Z  status 450 to RCPT TO`))
  t.match(failed, new RegExp(`account ${rejected.id} .*no more attempts  status 550 5.1.1 to RCPT TO$`))
  for (const { email } of [greylisted, rejected]) t.notMatch(waiting + failed, email)

  server.failAt(undefined)
  t.equal(await run('--retry'), '1 e-mail is retried within seconds.')
  await service.app.deliverMails()
  await context.background.settle(20_000)
  t.equal(server.accepted.filter(({ to }) => to === greylisted.email).length, 1)
  t.equal(await run(), 'No e-mail waits.')
  t.equal(await run('--retry'), '0 e-mails are retried within seconds.')
})
