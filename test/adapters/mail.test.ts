// E-mails, as a mail server gets them.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { smtpMail } from '../../src/adapters/mail.ts'

type Taken = { from: string; to: string[]; text: string }

/** A mail server that takes everything, and shows it. */
async function mailServer(): Promise<{ url: string; taken: Taken[] }> {
  const taken: Taken[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, taken }
}

void t.test('an e-mail in Arabic reaches whom it is for', async (t) => {
  const { url, taken } = await mailServer()
  const mail = smtpMail({ url, from: 'توثيق <no-reply@example.org>' })
  await mail.send({ to: 'sara@example.org', subject: 'كلمة مرور', text: 'مرحباً', reference: 'r-1' })
  mail.close()
  const [{ from, to, text } = { from: '', to: [], text: '' }] = taken
  t.equal(from, 'no-reply@example.org')
  t.same(to, ['sara@example.org'])
  t.match(text, /^Subject: =\?UTF-8\?/m)
  t.match(text, /^X-Request-Id: r-1/im)
  t.match(text.replaceAll(/=\r?\n/g, ''), /=D9=85=D8=B1|2YXYsdit/, 'the text is encoded')
})

void t.test('an address that would add others is one address', async (t) => {
  const { url, taken } = await mailServer()
  const mail = smtpMail({ url, from: 'no-reply@example.org' })
  const injected = 'a@example.org\r\nBcc: b@example.org'
  await mail.send({ to: injected, subject: 'x', text: 'x', reference: 'r' }).catch(() => undefined)
  await mail
    .send({ to: 'a@example.org, b@example.org', subject: 'x', text: 'x', reference: 'r' })
    .catch(() => undefined)
  mail.close()
  t.ok(
    taken.every(({ to }) => to.length === 1 && to[0] !== 'b@example.org'),
    JSON.stringify(taken),
  )
})

void t.test('a server that is away is told', async (t) => {
  const mail = smtpMail({ url: 'smtp://127.0.0.1:1', from: 'no-reply@example.org' })
  await t.rejects(mail.send({ to: 'a@example.org', subject: 'x', text: 'x', reference: 'r' }))
  mail.close()
})
