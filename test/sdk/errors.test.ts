// Error codes of the SDK: those of the operation, those of the SDK, and `unknown` for all others.
import { createTawthiq, TawthiqError, type OperationId } from '@tawthiq/sdk'
import { createAdmin } from '@tawthiq/sdk/admin'
import { createFactors } from '@tawthiq/sdk/factors'
import { createPasskeys } from '@tawthiq/sdk/passkeys'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { resolve, type Document, type Node } from '../support/examples/fields.ts'
import { clientOf, loggedIn } from '../support/sdk/clients.ts'
import { localServer } from '../support/servers/local-server.ts'
import { openWorld } from '../support/service/world.ts'

type Rejection = { code: string; data?: object }

/** Starts a server that rejects every request. */
async function rejecting(t: Test, rejection: () => Rejection): Promise<string> {
  return localServer(t, (_, response) => {
    const { code, data = {} } = rejection()
    response.writeHead(422, { 'error-code': code }).end(JSON.stringify({ message: 'A sentence.', data }))
  })
}

async function failedLogin(url: string): Promise<TawthiqError<'login'>> {
  const result = await createTawthiq({ url }).auth.login({ email: 'a@example.org', password: 'x' }).result()
  if (result.ok) throw new Error('the call succeeded')
  return result.error
}

void t.test('has unknown in place of codes that the operation or this version does not have', async (t) => {
  let code = ''
  const url = await rejecting(t, () => ({ code }))
  for (code of ['otp_wrong', 'login_haunted', 'credentials', 'credentials_wrong otp_wrong']) {
    t.match(await failedLogin(url), { code: 'unknown', word: code, message: 'A sentence.', fields: {} }, code)
  }
  code = 'credentials_wrong'
  t.match(await failedLogin(url), { code, word: code })
})

void t.test('names the errors of fields as the form does, with unknown for new codes', async (t) => {
  const data = {
    errors: { email: ['One.', 'Two.'], 'license_no.101': ['Three.'] },
    codes: { email: ['email_taken', 'email_haunted'], 'license_no.101': ['required'] },
  }
  const { fields } = await failedLogin(await rejecting(t, () => ({ code: 'invalid_data', data })))
  t.same(fields, {
    email: [
      { code: 'email_taken', word: 'email_taken', text: 'One.' },
      { code: 'unknown', word: 'email_haunted', text: 'Two.' },
    ],
    'license_no.101': [{ code: 'required', word: 'required', text: 'Three.' }],
  })
})

void t.test('knows all codes of every operation, and no others', (t) => {
  const client = createTawthiq({ url: 'http://127.0.0.1:1' })
  createAdmin(client) // adds its operations
  createFactors(client)
  createPasskeys(client)
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const ofClients = operations.filter(({ security }) => !JSON.stringify(security ?? []).includes('Signature'))
  const all = document.components['schemas']?.['ErrorCode']?.['enum'] as string[]
  t.ok(all.length > 40 && ofClients.length > 40)
  for (const { operationId, responses } of ofClients) {
    const declared = new Set(Object.values(responses).flatMap((response) => codesIn(resolve(document, response))))
    const operation = operationId as OperationId // of the document
    const known = all.filter((word) => new TawthiqError(word, { operation, message: '' }).code === word)
    t.same(known.sort(), [...declared].sort(), operationId)
  }
  t.end()
})

function codesIn({ headers }: Node): string[] {
  const header = (headers as Record<string, { schema?: { enum?: string[] } }> | undefined)?.['Error-Code']
  return header?.schema?.enum ?? []
}

void t.test('reports a failed refresh as an error of the call that needed it', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const session = await tawthiq.getSession()
  if (!session) throw new Error('the person is logged in')
  world.wait(2 * 3_600_000)
  const busy = clientOf(world, {
    session,
    fetch: (url, init) =>
      url.endsWith('/refresh')
        ? Promise.resolve(new Response('{}', { status: 503, headers: { 'error-code': 'overloaded' } }))
        : fetch(url, init),
  })
  const error: unknown = await busy.profile.get().catch((error: unknown) => error)
  t.match(error, { code: 'overloaded', status: 503, operation: 'getProfile', cause: { operation: 'refreshToken' } })
})
