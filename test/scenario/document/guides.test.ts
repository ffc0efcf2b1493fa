// The samples of the guides, and the curl samples of the reference, are run against a service that has just started.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { SAMPLE_ORIGIN } from '../../../scripts/generate/document/code-samples.ts'
import { start, temporaryFolder } from '../../support/processes/process.ts'
import { image } from '../../support/files/files.ts'

type Sample = { label: string; source: string }
type Operation = { operationId: string; 'x-codeSamples'?: Sample[] }

/** Each guide runs once; the samples of the Arabic guides send the same requests. */
const GUIDES = ['phone-verification', 'lookups', 'testing', 'registration', 'sessions', 'profile-forms']
const BOTH = ['quick-start']
/** Operations whose samples take the test number, change the password or end the session run last. */
const LAST = ['register', 'changePassword', 'logout']
const PHONE_CODE = 'curl ORIGIN/api/v1/auth/check-phone -F phone_code=966 -F phone=0512345678\n'
const TOKENS = `
tokens=$(command curl -sS --fail-with-body ORIGIN/api/v1/auth/login -H 'content-type: application/json' -d "{\\"email\\":\\"client@demo.test\\",\\"password\\":\\"\${PASSWORD:-Tawthiq-demo-1}\\"}")
TOKEN=$(sed -E 's/.*"token":"([^"]+)".*/\\1/' <<< "$tokens")
REFRESH_TOKEN=$(sed -E 's/.*"refresh_token":"([^"]+)".*/\\1/' <<< "$tokens")
`

const folder = temporaryFolder()
writeFileSync(join(folder, 'photo.png'), await image('png'))
const { origin } = await start({ DATA_DIR: temporaryFolder() })

/** Runs a script in which every response with an error status is a failure. */
async function runShell(source: string, environment: Record<string, string> = {}): Promise<string> {
  const prelude = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n'
  const script = (prelude + TOKENS + source)
    .replaceAll(SAMPLE_ORIGIN, origin)
    .replaceAll('localhost:3000', origin)
    .replaceAll('ORIGIN', origin)
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })
  return stdout
}

function samplesIn(path: string, language: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, source = '']) => source)
}

for (const path of [...GUIDES.map((name) => `en/${name}`), ...BOTH.flatMap((name) => [`en/${name}`, `ar/${name}`])]) {
  void t.test(`the shell samples of ${path} succeed`, async (t) => {
    const samples = samplesIn(`docs/guides/${path}.md`, 'sh')
    t.ok(samples.length > 0)
    t.match(await runShell(samples.join('\n')), /"status":true/)
  })
}

void t.test('the Arabic guides have the same requests as the English ones', (t) => {
  const paths = (source: string): string[] => [...source.matchAll(/\/api\/v1\/[\w/-]+/g)].map(([path]) => path)
  for (const name of [...GUIDES, ...BOTH]) {
    const [english, arabic] = ['en', 'ar'].map((language) =>
      paths(samplesIn(`docs/guides/${language}/${name}.md`, 'sh').join('\n')),
    )
    t.same(arabic, english, name)
  }
  t.end()
})

void t.test('the JavaScript sample of the quick start prints the name of the user', async (t) => {
  const [source = ''] = samplesIn('docs/guides/en/quick-start.md', 'js')
  const script = source.replaceAll(SAMPLE_ORIGIN, origin)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  t.equal(stdout.trim(), 'سارة العتيبي')
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
      .replace(/("refresh_token":")[^"]+/, `$1'"$REFRESH_TOKEN"'`)
      .replace('nouf@example.org', 'noura@example.org') // the guide has registered the other one
    const before = operationId === 'register' ? PHONE_CODE : ''
    const password = operationId === 'logout' ? { PASSWORD: 'olive-harbour-58-lantern' } : {}
    await t.resolves(runShell(before + sent, password), operationId)
  }
})
