// @tawthiq/sdk/passkeys without a browser: its functions are replaced. `npm run test:browser -w sdk` has a real browser.
import { isTawthiqError } from '@tawthiq/sdk'
import { createPasskeys, isAutofillSupported, isPasskeyError, isSupported } from '@tawthiq/sdk/passkeys'
import t, { type Test } from 'tap'
import { createPasskey, type Passkey } from '../support/accounts/authenticator.ts'
import { loggedIn } from '../support/sdk/clients.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

type Asked = { publicKey: { challenge: Uint8Array; rpId: string; rp: { id: string }; user: { id: Uint8Array } } }

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Converts the texts of a response to buffers, which browsers have. */
function toBrowser({ id, type, response }: { id: string; type: string; response: object }): object {
  const binary = Object.entries(response).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64url')).buffer : value,
  ])
  return { id, type, response: Object.fromEntries(binary) as object }
}

/** Gives Node.js the functions of an old browser, with an authenticator in software. */
function installBrowser(t: Test, signalled: unknown[] = []): void {
  let passkey: Passkey | undefined
  const credentials = {
    async create({ publicKey: { challenge, rp, user } }: Asked) {
      const options = { challenge: text(challenge), rp, user: { id: text(user.id) } }
      const created = createPasskey(options)
      passkey = created.passkey
      return toBrowser(created.credential)
    },
    async get({ publicKey: { challenge, rpId } }: Asked) {
      if (!passkey) throw new DOMException('', 'NotAllowedError')
      return toBrowser(passkey.get({ challenge: text(challenge), rpId }))
    },
  }
  const signalUnknownCredential = async (credential: unknown): Promise<void> => void signalled.push(credential)
  t.intercept(globalThis, 'PublicKeyCredential' as never, { value: { signalUnknownCredential } })
  t.intercept(globalThis, 'navigator' as never, { value: { credentials } })
}

void t.test('adds, uses, renames and removes a passkey', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const passkeys = createPasskeys(tawthiq)
  const signalled: unknown[] = []
  installBrowser(t, signalled)
  t.ok(isSupported())
  t.notOk(await isAutofillSupported())
  const { passkey, recovery_codes: codes } = await passkeys.add('MacBook', { password: PASSWORD })
  t.equal(codes?.length, 10)
  const before = await tawthiq.getAccessToken()
  await passkeys.reauthenticate()
  t.not(await tawthiq.getAccessToken(), before)

  await tawthiq.auth.logout()
  const refused = await tawthiq.auth.login({ email: person.email, password: PASSWORD }).result()
  t.match(refused, { ok: false, error: { code: 'mfa_required', methods: ['passkey', 'recovery_code'] } })
  const { response } = await passkeys.login().withResponse()
  t.equal(response.status, 200)
  t.match(await tawthiq.getSession(), { user: { email: person.email } })

  t.match(await passkeys.rename(passkey.id, 'Desk'), { name: 'Desk' })
  const young = await passkeys.remove(passkey.id, await passkeys.prove()).result()
  t.match(young, { ok: false, error: { fields: { password: [{ code: 'required' }] } } })
  const removed = await passkeys.remove(passkey.id, { password: PASSWORD })
  t.same(signalled, [removed])
  const unknown = await passkeys.login().result()
  t.match(unknown, { ok: false, error: { code: 'credentials_wrong', operation: 'loginWithPasskey', methods: [] } })
  t.equal(signalled.length, 1)
})

void t.test('distinguishes errors of the browser from those of the service', async (t) => {
  const passkeys = createPasskeys(await loggedIn(await openWorld(), await (await openWorld()).person()))
  const failure = (): Promise<unknown> => passkeys.login().catch((error: unknown) => error)
  t.notOk(isSupported())
  t.match(await failure(), { name: 'PasskeyError', code: 'unsupported' })
  installBrowser(t)
  const cancelled = await failure()
  t.match(cancelled, { code: 'cancelled', cause: { name: 'NotAllowedError' } })
  t.ok(isPasskeyError(cancelled) && !isTawthiqError(cancelled))
  await t.rejects(passkeys.login().result(), { name: 'PasskeyError' })
  const aborted = passkeys.login({ signal: AbortSignal.abort() })
  t.match(await aborted.result(), { ok: false, error: { code: 'aborted', operation: 'beginPasskeyLogin' } })
})
