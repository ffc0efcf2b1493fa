// The samples of the guides, and the curl samples of the reference, are run against a service that has just started.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { SAMPLE_ORIGIN } from '../../../scripts/generate/document/sample-languages.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { image } from '../../support/files/files.ts'

type Sample = { label: string; source: string }
type Operation = { operationId: string; 'x-codeSamples'?: Sample[] }

const LANGUAGES = ['en', 'ar'] as const
const GUIDES = readdirSync('docs/guides/en').map((name) => name.replace(/\.md$/, ''))
/** Operations whose samples take the test number, change the password or end the session run last. */
const LAST = ['register', 'changePassword', 'logout']
const ARABIC = /[ء-ي]/
const PHONE_CODE = 'curl ORIGIN/api/v1/auth/check-phone -F phone_code=966 -F phone=0512345678\n'
const TOKENS = `
tokens=$(command curl -sS --fail-with-body ORIGIN/api/v1/auth/login -H 'content-type: application/json' -d "{\\"email\\":\\"client@demo.test\\",\\"password\\":\\"\${PASSWORD:-Tawthiq-demo-1}\\"}")
TOKEN=$(sed -E 's/.*"token":"([^"]+)".*/\\1/' <<< "$tokens")
REFRESH_TOKEN=$(sed -E 's/.*"refresh_token":"([^"]+)".*/\\1/' <<< "$tokens")
`

/** What the JavaScript samples use without defining it, and what is printed when they have run, by guide and tab */
const HARNESSES: Readonly<Record<string, { before?: string; after?: string; printed: string }>> = {
  'quick-start': { printed: 'سارة العتيبي' },
  errors: {
    before: `const form = new FormData(); form.append('phone_code', '966'); form.append('phone', '0512345677')`,
    after: 'console.log(response.status)',
    printed: '200',
  },
  'profile-forms': {
    after: 'console.log([...form.keys()].join())',
    printed: 'languages,languages,sections,license_no[101]',
  },
  'rate-limits': {
    before: 'globalThis.setTimeout = (run) => run()',
    after: `await waitAfter(new Response(null, { headers: { 'retry-after': '2' } }), console.log)`,
    printed: '2\n1',
  },
  sdks: { after: 'console.log((await tawthiq.profile.get()).user.name)', printed: 'client@demo.test\nسارة العتيبي' },
  'lookups SDK': { after: 'console.log(items.length > 0)', printed: 'true' },
  'phone-verification SDK': { after: `console.log('confirmed')`, printed: 'confirmed' },
  'profile-forms SDK': { after: 'console.log((await tawthiq.profile.get()).user.gender)', printed: 'Female' },
  'registration SDK': { after: 'console.log((await tawthiq.profile.get()).user.name)', printed: 'نوف الشهري' },
  'sessions SDK': { after: 'console.log(user.name)', printed: 'سارة العتيبي' },
}

const folder = temporaryFolder()
writeFileSync(join(folder, 'photo.png'), await image('png'))
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
/** One for each language, and one for its samples of the SDK, as the samples register accounts and use up codes */
const origins = Object.fromEntries(
  await Promise.all(
    LANGUAGES.flatMap((language) => [language, `${language} SDK`]).map(
      async (name) => [name, (await start({ DATA_DIR: temporaryFolder() })).origin] as const,
    ),
  ),
)

/** Runs a script in which every response with an error status is a failure. */
async function runShell(origin: string, source: string, environment: Record<string, string> = {}): Promise<string> {
  const prelude = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n'
  const script = (prelude + source)
    .replaceAll(SAMPLE_ORIGIN, origin)
    .replaceAll('localhost:3000', origin)
    .replaceAll('ORIGIN', origin)
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })
  return stdout
}

/** Returns the samples of a guide in a language such as `sh`, by their tabs. Only a sample that says `no-run` is left out. */
function samplesByTab(path: string, language: 'sh' | '[jt]s' | 'tsx'): Map<string, string[]> {
  const text = readFileSync(`docs/guides/${path}.md`, 'utf8')
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}(?: tab=(\\S+))?\\n(.*?)^\`\`\``, 'gms'))
  const byTab = new Map<string, string[]>()
  for (const [, tab = '', source = ''] of fences) byTab.set(tab, [...(byTab.get(tab) ?? []), source])
  return byTab
}

function samplesIn(path: string, language: 'sh' | '[jt]s' | 'tsx'): string[] {
  return [...samplesByTab(path, language).values()].flat()
}

/** Runs a module beside the photo, in a directory where packages are found. */
async function runModule(source: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { cwd: folder })
  return stdout.trim()
}

for (const language of LANGUAGES) {
  const origin = origins[language] ?? ''
  for (const guide of GUIDES) {
    const path = `${language}/${guide}`
    const shell = samplesIn(path, 'sh')
    if (shell.length > 0) {
      void t.test(`the shell samples of ${path} succeed`, async (t) => {
        const messages = (await runShell(origin, shell.join('\n'))).match(/(?<="status":true.*"message":")[^"]+/g) ?? []
        t.ok(messages.length > 0)
        for (const message of messages) t.equal(ARABIC.test(message), language === 'ar', message)
      })
      void t.test(`the shell samples of ${path} define the variables that they use`, (t) => {
        const source = shell.join('\n')
        for (const { 1: name = '', index } of source.matchAll(/\$\{?([A-Z][A-Z_]+)/g))
          t.match(source.slice(0, index), new RegExp(`^\\s*(?:export )?${name}=`, 'm'), name)
        t.end()
      })
    }
    for (const [tab, scripts] of guide === 'webhooks' ? [] : samplesByTab(path, '[jt]s'))
      void t.test(`the JavaScript samples of ${path} succeed${tab === '' ? '' : ` with ${tab}`}`, async (t) => {
        const { before = '', after = '', printed = '' } = HARNESSES[`${guide} ${tab}`] ?? HARNESSES[guide] ?? {}
        const own = origins[`${language} ${tab}`] ?? origin
        const source = [before, ...scripts, after].join('\n').replaceAll(SAMPLE_ORIGIN, own)
        t.equal(await runModule(source.replaceAll("fetch('/", `fetch('${origin}/`)), printed)
      })
  }
}

void t.test('the Arabic guides have the same samples as the English ones, with Arabic comments and texts', (t) => {
  for (const guide of GUIDES) {
    const withoutTexts = (language: string): string[] =>
      (['sh', '[jt]s', 'tsx'] as const)
        .flatMap((each) => samplesIn(`${language}/${guide}`, each))
        .map((source) =>
          source
            .replaceAll(/(?:\/\/|#|\/\*\*) .*$/gm, '//')
            .replaceAll(/(?<=>|: ')[^<>{}();']+(?=<|'\})/g, '')
            .replaceAll(/language['"]?: ['"]?(?:ar|en)/g, 'language')
            .replaceAll(/'q=[^']+'/g, 'q'),
        )
    t.same(withoutTexts('ar'), withoutTexts('en'), guide)
  }
  t.end()
})

void t.test('the curl samples of the reference succeed', async (t) => {
  const { paths } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const sampled = operations.filter((operation) => operation['x-codeSamples'])
  t.ok(sampled.length >= 15)
  const isLast = ({ operationId }: Operation): number => LAST.indexOf(operationId)
  for (const { operationId, 'x-codeSamples': samples = [] } of sampled.sort((a, b) => isLast(a) - isLast(b))) {
    const source = samples.find(({ label }) => label === 'curl')?.source ?? ''
    t.notMatch(source, /content-type: *multipart/i, operationId)
    const sent = source
      .replace(/("refresh_token": ?")[^"]+/, `$1'"$REFRESH_TOKEN"'`)
      .replace('nouf@example.org', 'noura@example.org') // the guide has registered the other one
    const before = operationId === 'register' ? PHONE_CODE : ''
    const password = operationId === 'logout' ? { PASSWORD: 'olive-harbour-58-lantern' } : {}
    await t.resolves(runShell(origins['en'] ?? '', TOKENS + before + sent, password), operationId)
  }
})
