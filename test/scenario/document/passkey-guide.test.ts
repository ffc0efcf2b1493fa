// The functions of the guides to passkeys add a passkey, log in and reauthenticate with it, and remove it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import {
  createPasskey,
  type CreationOptions,
  type Passkey,
  type RequestOptions,
} from '../../support/accounts/authenticator.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'

type Tokens = { account: { token: string } }
type Request = { mediation?: string; signal?: AbortSignal }
type Samples = {
  addPasskey(name: string, proof: object, token: string): Promise<{ passkey: { id: string }; recovery_codes: string[] }>
  logIn(request?: Request): Promise<Tokens>
  offerPasskeys(): Promise<Tokens | undefined>
  logInWithButton(): Promise<Tokens>
  reauthenticate(token: string): Promise<Tokens>
  removePasskey(id: string, proof: object, token: string): Promise<void>
}

const NAMES = ['addPasskey', 'logIn', 'offerPasskeys', 'logInWithButton', 'reauthenticate', 'removePasskey']

const PROOF = { password: 'Tawthiq-demo-1' }

/** A browser with one passkey, and what the page has asked it for */
const browser: { passkey?: Passkey; requests: Request[]; signals: unknown[] } = { requests: [], signals: [] }
const credentials = {
  create: ({ publicKey }: { publicKey: CreationOptions }) => {
    const { passkey, credential } = createPasskey(publicKey)
    browser.passkey = passkey
    return { toJSON: () => credential }
  },
  get: ({ publicKey, ...request }: Request & { publicKey: RequestOptions }) => {
    browser.requests.push(request)
    return { toJSON: () => browser.passkey?.get(publicKey) }
  },
}
const publicKeyCredential = {
  parseCreationOptionsFromJSON: (options: unknown) => options,
  parseRequestOptionsFromJSON: (options: unknown) => options,
  isConditionalMediationAvailable: () => true,
  signalUnknownCredential: (signal: unknown) => browser.signals.push(signal),
}
// restored at the end, as other tests run in this process
t.intercept(globalThis, 'navigator' as never, { value: { credentials } })
t.intercept(globalThis, 'PublicKeyCredential' as never, { value: publicKeyCredential })

const folder = temporaryFolder()
const { origin } = await start({ DATA_DIR: temporaryFolder() })

async function readSamples(language: string): Promise<Samples> {
  const text = readFileSync(`docs/guides/${language}/passkeys.md`, 'utf8')
  const sources = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, source = '']) => source)
  const path = join(folder, `${language}.mjs`)
  const source = [...sources, `export { ${NAMES.join(', ')} }`].join('\n')
  writeFileSync(path, source.replaceAll('http://localhost:3000', origin))
  return (await import(pathToFileURL(path).href)) as Samples
}

async function logInWithPassword(): Promise<string> {
  const response = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'client@demo.test', ...PROOF }),
  })
  return ((await response.json()) as { data: Tokens }).data.account.token
}

for (const language of ['en', 'ar'])
  void t.test(`the functions of ${language}/passkeys work`, async (t) => {
    browser.requests = []
    const samples = await readSamples(language)
    const { passkey, recovery_codes: codes } = await samples.addPasskey('MacBook', PROOF, await logInWithPassword())
    t.equal(codes.length, 10)

    t.ok((await samples.offerPasskeys())?.account.token)
    const [offer] = browser.requests.splice(0)
    t.equal(offer?.mediation, 'conditional')
    const { account } = await samples.logInWithButton()
    t.ok(offer?.signal?.aborted)
    const confirmed = await samples.reauthenticate(account.token)

    const removed = { credentialId: browser.passkey?.credentialId ?? '', rpId: 'localhost' }
    await samples.removePasskey(passkey.id, PROOF, confirmed.account.token)
    t.same(browser.signals.splice(0), [removed])
    await t.rejects(samples.logIn(), { code: 'credentials_wrong' })
  })
