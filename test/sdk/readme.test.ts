// The samples of the SDK's README and of the guide to SDKs are compiled and run against a service that has just started. Components
// of Vue and Svelte are compiled.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compile } from 'svelte/compiler'
import t from 'tap'
import ts from 'typescript'
import { compileScript, compileTemplate, parse } from 'vue/compiler-sfc'
import { image } from '../support/files/files.ts'
import { start, temporaryFolder } from '../support/processes/process.ts'

const PAGES = ['sdk/README.md', 'docs/guides/en/sdks.md', 'docs/guides/ar/sdks.md']
const SAMPLES_MIN = 17
const ORIGIN = 'http://localhost:3000'
const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`

/** What the pages leave to the application of the reader */
const PRELUDE = `
import { createTawthiq } from '@tawthiq/sdk'
import { toForm } from '@tawthiq/sdk/forms'
import { Webhook } from 'standardwebhooks'
const photo = new Blob([Buffer.from(PHOTO, 'base64')], { type: 'image/png' })
const tawthiq = createTawthiq({ url: '${ORIGIN}', language: 'en' })
await tawthiq.auth.login({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
const other = createTawthiq({ url: '${ORIGIN}' })
await other.auth.login({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })
const form = toForm((await tawthiq.profile.get()).user)
const { user } = await tawthiq.profile.update({ ...form, profile_photo: photo })
const id = (await tawthiq.sessions.list()).items.find(({ current }) => !current)?.id ?? ''
const called: string[] = []
const call = (name: string) => (...given: unknown[]): void => void called.push(name + JSON.stringify(given))
const [show, showProfile, showLogin, forget] = ['show', 'showProfile', 'showLogin', 'forget'].map(call) as [(text?: string) => void, (email: string) => void, () => void, (id: number) => void]
const body = JSON.stringify({ type: 'account.deleted', timestamp: new Date().toISOString(), data: { account_id: 7 } })
const secrets = ['${SECRET}']
const delivery = (secret: string) => new Request('${ORIGIN}', { method: 'POST', body, headers: {
  'webhook-id': 'm', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': new Webhook(secret).sign('m', new Date(), body),
} })
const showForm = call('showForm')
const showErrors = call('showErrors')
const showSecret = call('showSecret')
const given = {
  other, showForm, showErrors, showSecret, tawthiq, user, id, called, show, showProfile, showLogin, forget, secrets, delivery,
  input: { files: [photo] as const }, bar: { value: 0 }, email: 'client@demo.test', password: 'wrong',
  backend: '${ORIGIN}/api/v1', asset: { uri: 'file:///photo.png' }, cookie: JSON.stringify(await tawthiq.getSession()),
}
export default given
`
/** What a sample must have done, by a text in it */
const CHECKS: Readonly<Record<string, string>> = {
  'bar.value =': `check((await tawthiq.profile.get()).user.profile_photo !== null)`,
  'show(message)': `check(called.some((each) => each.startsWith('show["')))`,
  'stop = tawthiq.onSession(': `await tawthiq.getSession(); check(called.includes('showLogin[]')); stop()`,
  'operation(': `check((await tawthiq.sessions.list()).items.every((session) => session.id !== id))`,
  'JSON.parse(cookie)': `check(session?.user.email === user.email)`,
  'function receive': `check((await receive(delivery(secrets[0] ?? ''))).status === 204 && called.includes('forget[7]'))
check((await receive(delivery('${SECRET.replace('c2', 'c3')}'))).status === 400)`,
  'profileForm(': `while (form.get().pending) await new Promise((done) => setTimeout(done, 20))
form.set('name', '')
await save()
check(called.some((each) => each.startsWith('showForm[[{"name":"account"')))
check(called.some((each) => each.startsWith('showErrors[{"name":[{"code":"required"')))
unsubscribe()`,
  "'vue'": `const { effectScope } = await import('vue')
const session = effectScope().run(useSession)
const { run, pending, error } = useOperation(other.auth.login)
await run({ email: 'x', password: '' })
check(session?.value?.user.email === 'client@demo.test')
check(error.value?.fields.email?.length === 1 && !pending.value)`,
  "'svelte/store'": `let email: string | undefined
session.subscribe((current) => (email = current?.user.email))
const login = operation(other.auth.login)
let state: { pending: boolean; error?: TawthiqError<'login'> | undefined } = { pending: true }
login.subscribe((current) => (state = current))
await login.run({ email: 'x', password: '' })
check(email === 'client@demo.test' && state.error?.fields.email?.length === 1 && !state.pending)`,
  'createFactors(': `await addApp('Tawthiq-demo-1')
check(called.some((each) => each.startsWith('showSecret["otpauth://totp/')))
check(await confirmApp('12').then(() => false, ({ code }) => code === 'invalid_data'))`,
  'createPasskeys(': `await logIn()
check(called.includes('show["This device or browser does not support passkeys."]'))
const refused = await passkeys.rename('4f1d2c3b-5a69-4788-9b0c-1d2e3f405162', 'x').result()
check(!refused.ok && refused.error.code === 'passkey_unknown' && (await addPasskey('Tawthiq-demo-1').then(() => false, ({ code }) => code === 'unsupported')))`,
  'files.url(': `check(image?.startsWith('${ORIGIN}') === true)`,
}
/** Sends a file that only React Native can read */
const ONLY_NATIVE = 'asset.uri'

const { origin } = await start({ DATA_DIR: temporaryFolder() })
const folder = mkdtempSync('dist/readme-') // the packages are found from here
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const storage = join(folder, 'node_modules/@react-native-async-storage/async-storage')
mkdirSync(storage, { recursive: true })
writeFileSync(
  join(storage, 'package.json'),
  '{"type":"module","exports":{"types":"./index.d.ts","default":"./index.js"}}',
)
writeFileSync(
  join(storage, 'index.d.ts'),
  `declare const storage: {
  getItem(key: string, done?: (error: Error | null) => void): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}
export default storage`,
)
writeFileSync(
  join(storage, 'index.js'),
  'export default { getItem: async () => null, setItem: async () => {}, removeItem: async () => {} }',
)
const photo = (await image('png')).toString('base64')
writeFileSync(join(folder, 'given.ts'), PRELUDE.replace('PHOTO', `'${photo}'`))

const samples = PAGES.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^ *```ts\n(.*?)^ *```/gms)].map(([, source = ''], index) => {
    const path = join(folder, `${page.replaceAll(/\W/g, '-')}-${String(index)}.ts`)
    writeFileSync(path, toModule(source))
    return { page, source, path }
  }),
)

/** Returns a module in which a sample shadows what it declares itself. */
function toModule(source: string): string {
  const isImport = (line: string): boolean => /^ *import /.test(line)
  const lines = source.split('\n')
  const [, check = ''] = Object.entries(CHECKS).find(([text]) => source.includes(text)) ?? []
  return `import given from './given.ts'
${lines.filter(isImport).join('\n')}
const { other, showForm, showErrors, showSecret, tawthiq, user, id, called, show, showProfile, showLogin, forget, secrets, delivery, input, bar, email, password, backend, asset, cookie } = given
function check(isTrue: boolean): void { if (!isTrue) throw new Error('the sample did not work') }
{
${lines.filter((line) => !isImport(line)).join('\n')}
${check}
}
export {}
`
}

void t.test('compiles every sample', (t) => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const program = ts.createProgram(
    samples.map(({ path }) => path),
    options,
  )
  const found = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(0, start).split('\n').length ?? 0
    return `${file?.fileName ?? ''}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  t.same(found, [])
  t.ok(samples.length >= SAMPLES_MIN, `${String(samples.length)} samples`)
  t.end()
})

function blocksIn(language: string): string[] {
  const blocks = readFileSync('sdk/README.md', 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return [...blocks].map(([, source = '']) => source)
}

void t.test('compiles the components of Vue', (t) => {
  const sources = blocksIn('vue')
  for (const source of sources) {
    const { descriptor, errors } = parse(source)
    const { bindings, content } = compileScript(descriptor, { id: 'sample' })
    const { code, errors: ofTemplate } = compileTemplate({
      id: 'sample',
      filename: 'sample.vue',
      source: descriptor.template?.content ?? '',
      compilerOptions: { bindingMetadata: bindings ?? {}, expressionPlugins: ['typescript'] },
    })
    t.same([...errors, ...ofTemplate], [])
    t.match(content, 'useOperation')
    t.notMatch(code, /_ctx\./, 'each name of the template is one of the script')
  }
  t.ok(sources.length > 0)
  t.end()
})

void t.test('compiles the components of Svelte', (t) => {
  const sources = blocksIn('svelte')
  for (const source of sources) {
    const { js, warnings } = compile(source, { filename: 'Sample.svelte', generate: 'client' })
    t.same(
      warnings.map(({ code }) => code),
      [],
    )
    t.match(js.code, 'operation')
  }
  t.ok(sources.length > 0)
  t.end()
})

for (const path of [join(folder, 'given.ts'), ...samples.map(({ path }) => path)]) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions })
  writeFileSync(path.replace(/ts$/, 'js'), outputText.replaceAll(ORIGIN, origin).replace('./given.ts', './given.js'))
}

for (const { page, source, path } of samples.filter(({ source }) => !source.includes(ONLY_NATIVE))) {
  void t.test(`runs the sample of ${page} with ${source.trim().split('\n').at(-1) ?? ''}`, async (t) => {
    await t.resolves(import(pathToFileURL(path.replace(/ts$/, 'js')).href))
  })
}
