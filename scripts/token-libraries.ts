// Verifies an access token of each algorithm with the public keys of a running service, in JWT libraries of several languages,
// and one whose claims were changed. Prints the table of docs/sdks.md, and fails if that page has another.
//
//   npm run token-libraries              all libraries
//   npm run token-libraries -- --ci      those in JavaScript, which CI runs
//   npm run token-libraries -- --write   all libraries; writes docs/sdks.md
import { join } from 'node:path'
import { newKeys } from '../src/adapters/keys/index.ts'
import { ALGORITHMS, type Algorithm } from '../src/adapters/keys/key-file-schema.ts'
import { markdownTable } from './generate/markdown.ts'
import { startInstance } from './load/service.ts'
import { runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'
import { Unavailable, worksIn } from './sdks/client.ts'
import { publishTable } from './sdks/table.ts'
import { DEBIAN_LIBRARIES, JAVASCRIPT_LIBRARIES, type Library } from './sdks/token-libraries.ts'

type Variables = Record<string, string>
type Claims = Readonly<Record<'iss' | 'aud' | 'sub', string>>

const given = readOptions('npm run token-libraries --', { ci: false, write: false })
await runSession('tokens', run)

/** Returns whether the page has the row of each library. */
async function run(session: Session): Promise<boolean> {
  const tokens = new Map<Algorithm, Variables>()
  for (const algorithm of ALGORITHMS) tokens.set(algorithm, await issueToken(session, algorithm))
  const rows: string[][] = []
  for (const library of [...JAVASCRIPT_LIBRARIES, ...(given.ci ? [] : DEBIAN_LIBRARIES)]) {
    const row = await rowOf(library, tokens).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error
      console.error(`${library.name}: skipped, because ${error.message}`)
    })
    if (row) rows.push(row)
  }
  return publishTable(
    markdownTable(['Library', 'Language', 'Version', ...ALGORITHMS], rows),
    'tokens',
    'npm run token-libraries',
    given.write,
  )
}

/** Starts a service whose key has an algorithm. Returns a token of it, one with other claims, and what verifies them. */
async function issueToken(session: Session, algorithm: Algorithm): Promise<Variables> {
  const { origin } = await startInstance(session, {
    variables: { KEYS: newKeys(algorithm), DATA_DIR: join(session.folder, algorithm) },
    isManaged: false,
  })
  const response = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'client@demo.test', password: 'Tawthiq-demo-1' }),
  })
  const { data } = (await response.json()) as { data: { account: { token: string } } }
  const { token } = data.account
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: '2' })).toString('base64url')
  const { iss: ISSUER, aud: AUDIENCE, sub: ACCOUNT } = claims
  const forged = [header, changed, signature].join('.')
  return { JWKS_URL: `${origin}/api/v1/auth/jwks`, ISSUER, AUDIENCE, ACCOUNT, TOKEN: token, FORGED: forged }
}

/** @throws Error if a library accepts the changed token */
async function rowOf(
  { name, language, prepare }: Library,
  tokens: ReadonlyMap<Algorithm, Variables>,
): Promise<string[]> {
  const { version, walk } = await prepare()
  const cells: string[] = []
  for (const [algorithm, variables] of tokens) {
    const output = await walk(variables)
    const works = worksIn(output)
    if (!works.includes('rejects'))
      throw new Error(`${name} does not run, or accepts a forged ${algorithm}:\n${output}`)
    cells.push(works.includes('verifies') ? 'yes' : 'no')
    console.error(`${name}, ${algorithm}: ${works.join(', ')} ${output.split('\n')[0] ?? ''}`)
  }
  return [name, language, version, ...cells]
}
