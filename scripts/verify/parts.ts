// The checks of the project, in the order of a run.

/** Programs that parts need beside Node.js */
type Program =
  'apt-get' | 'caddy' | 'chromium' | 'dpkg-deb' | 'kubectl' | 'mmdebstrap' | 'nginx' | 'pgbouncer' | 'promtool' | 'wrk'
/** Programs, PostgreSQL with Redis (`servers`), and the rights of root */
export type Need = Program | 'redis-server' | 'root' | 'servers' | 'unshare'

type Options = Readonly<{
  /** What `.ci/run` runs of a part: the same, or a shorter command. Other parts are run by `npm run verify` only. */
  ci?: true | string
  needs?: readonly Need[]
}>
export type Part = Options &
  Readonly<{
    name: string
    shows: string
    /** A command of the shell, with the URLs of the servers as $SERVER, $REDIS and $POOLER */
    run: string
    /** Parts of a lane run one after the other, beside the other lane. Parts without one use all processors. */
    lane?: 'left' | 'right'
  }>

type Row = readonly [name: string, shows: string, run: string, options?: Options]

const ON_SERVERS = 'DATABASE_URL=$SERVER REDIS_URL=$REDIS'
const CI = { ci: true } as const
const IN_CHROMIUM = { needs: ['chromium'] } as const
const EXAMPLE_REACT = ['ci', 'run build', 'run glue']
  .map((command) => `npm ${command} --prefix examples/react`)
  .join(' && ')

const LEFT: readonly Row[] = [
  ['lint', 'ESLint finds no fault', 'npm run lint', CI],
  ['recipes', 'the recipes for a profile field and an operation work', 'node scripts/recipes.mjs'],
  [
    'pages',
    'a form and the documentation work in Chromium',
    'npm run test:browser',
    { ...IN_CHROMIUM, ci: 'npm run test:browser -- --sample' },
  ],
]

const RIGHT: readonly Row[] = [
  ['types', 'types fit, and operations declare the codes that they throw', 'npm run types', CI],
  ['document', 'generated files are current, and the document lints', 'npm run generate -- --check', CI],
  ['format', 'files are formatted', 'npx prettier --check .', CI],
  ['breaking', 'the document breaks no client of the last release', 'npm run breaking', CI],
  ['migrations', 'the migrations make the schema', 'npm run migration -- --check', CI],
  [
    'statements',
    'the statements of the last release run on the migrated tables',
    'DATA_DIR=$(mktemp -d) npm run migrate -- --check-compatibility',
    CI,
  ],
  ['glue', 'the account pages have little glue', 'npm run glue', CI],
  ['example-react', 'the example in React builds, with little glue', EXAMPLE_REACT],
  [
    'account-pages',
    'the account pages work in Chromium',
    'npm run test:pages',
    { ...IN_CHROMIUM, ci: 'node dist/test/browser/account-pages.js' },
  ],
  ['react-pages', 'the example in React works in Chromium', 'npm test --prefix examples/react', IN_CHROMIUM],
  ['mock', 'the mock server responds as documented', 'npm run mock -- --check'],
  ['flows', 'the flows run against the service', 'npm run flows'],
  ['sbom', 'the bill of materials is complete', 'npm run package -- sbom'],
  ['sdk-package', 'the package of the SDK has types for each way to import it', 'npm run package:check -w sdk'],
  ['sdk-native', 'the SDK runs with the sources of React Native', 'npm run test:native -w sdk'],
  ['sdk-pages', 'the SDK and passkeys work in Chromium', 'npm run test:browser -w sdk', IN_CHROMIUM],
  [
    'token-libraries',
    'JWT libraries verify access tokens as the guide states',
    'npm run token-libraries',
    { ci: 'npm run token-libraries -- --ci' },
  ],
  ['clients', 'generated clients compile, and work with the service', 'npm run sdks -- --ci'],
]

const ALONE: readonly Row[] = [
  ['suite', 'the suite passes on embedded databases', 'npm test', CI],
  [
    'server-suite',
    'the suite passes on PostgreSQL and Redis, with a role that cannot change tables',
    `TEST_ROLE=dml ${ON_SERVERS} npm test`,
    { needs: ['servers'], ci: `RACE_ROUNDS_MAX=5 ${ON_SERVERS} npm test -- --servers` },
  ],
  [
    'pooler-suite',
    'the suite passes through PgBouncer',
    'DATABASE_POOLER=transaction DATABASE_URL=$POOLER DATABASE_DIRECT_URL=$SERVER REDIS_URL=$REDIS npm test',
    { needs: ['servers', 'pgbouncer'] },
  ],
  [
    'matrices',
    'the matrix of revocations and the sample of the day of the others pass',
    `MATRIX=all npm test -- matrix/revocation && MATRIX=$(($(date +%s) / 86400)) PROOF_CELLS=400 ${ON_SERVERS} npm test -- matrix/`,
    { needs: ['servers'] },
  ],
  [
    'deployment',
    'manifests, rules and metrics are valid, and nginx and Caddy pass on what the service needs',
    'npm test -- house/deploy house/kubernetes house/monitoring runtime/proxies',
    { needs: ['kubectl', 'promtool', 'nginx', 'caddy'] },
  ],
  [
    'controls',
    'the tests of the security controls of the day fail without them',
    'npm run security-controls -- --daily 6',
    { ci: 'npm run security-controls -- --daily 1' },
  ],
  [
    'image',
    'the file system of the image is small, and the service starts in it',
    `${ON_SERVERS} npm run package -- try`,
    { needs: ['servers', 'root', 'unshare', 'apt-get', 'dpkg-deb'] },
  ],
  [
    'commands',
    'the commands of the pages for operators run on a new Debian system',
    'npm run documented-commands',
    { needs: ['root', 'unshare', 'mmdebstrap'] },
  ],
  [
    'upgrade',
    'an upgrade from the last release, and back, fails no request under load',
    `${ON_SERVERS} npm run rolling-restart -- --from last --requests 1000`,
    { needs: ['servers', 'nginx'] },
  ],
  [
    'gate',
    'no request costs more than in the last release',
    'DATABASE_URL=$SERVER BENCH_WRITES=320 npm run bench -- --gate',
    { needs: ['servers', 'redis-server', 'wrk'] },
  ],
]

const parts = (rows: readonly Row[], lane?: 'left' | 'right'): Part[] =>
  rows.map(([name, shows, run, options]) => ({ name, shows, run, ...options, ...(lane && { lane }) }))

/** The build comes first: without it, no other part runs. */
export const BUILD: Part = { name: 'build', shows: 'the project builds', run: 'npm run build', ci: true }
export const PARTS: readonly Part[] = [BUILD, ...parts(LEFT, 'left'), ...parts(RIGHT, 'right'), ...parts(ALONE)]
