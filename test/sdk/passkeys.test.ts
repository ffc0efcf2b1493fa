// @tawthiq/sdk/passkeys without a browser: its functions are replaced. `npm run test:browser -w sdk` has a real browser.
import { createPasskeys, isAutofillSupported, isSupported } from '@tawthiq/sdk/passkeys'
import t, { type Test } from 'tap'
import { createPasskey, type Passkey } from '../support/accounts/authenticator.ts'
import { clientOf, loggedIn } from '../support/sdk/clients.ts'
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

void t.test('returns errors of the browser as results, with texts in the language of the call', async (t) => {
  const world = await openWorld()
  const tawthiq = await loggedIn(world, await world.person(), { language: 'en' })
  const passkeys = createPasskeys(tawthiq)
  t.notOk(isSupported())
  t.match(await passkeys.login().result(), {
    ok: false,
    error: { code: 'unsupported', word: 'unsupported', operation: 'beginPasskeyLogin', status: 0, fields: {} },
  })
  installBrowser(t)
  const cancelled = await passkeys.login({ language: 'ar' }).catch((error: unknown) => error)
  t.match(cancelled, { name: 'TawthiqError', code: 'cancelled', cause: { name: 'NotAllowedError' } })
  t.match(cancelled, { message: 'لم يُستخدم مفتاح مرور' })
  t.match(await passkeys.prove().result(), {
    ok: false,
    error: { code: 'cancelled', operation: 'beginPasskeyReauthentication', message: 'No passkey was used' },
  })
  const aborted = await passkeys.login({ signal: AbortSignal.abort() }).result()
  t.match(aborted, { ok: false, error: { code: 'aborted', operation: 'beginPasskeyLogin' } })
})

const EXCEPTIONS = {
  NotAllowedError: 'cancelled',
  AbortError: 'aborted',
  InvalidStateError: 'known',
  SecurityError: 'domain_wrong',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
  UnknownError: 'failed',
}

void t.test('has a text in both languages for each exception of a browser', async (t) => {
  const passkeys = createPasskeys(clientOf(await openWorld()))
  for (const [name, code] of Object.entries(EXCEPTIONS)) {
    const get = (): Promise<never> => Promise.reject(new DOMException('', name))
    t.intercept(globalThis, 'PublicKeyCredential' as never, { value: {} })
    t.intercept(globalThis, 'navigator' as never, { value: { credentials: { get } } })
    for (const [language, letters] of [
      ['ar', /[\u0621-\u064a]{4}/],
      ['en', /^[ -~]{20,}$/],
    ] as const) {
      const result = await passkeys.login({ language }).result()
      t.match(result, { ok: false, error: { code, message: letters } }, name)
    }
  }
})
