// The checks of the project, in the order of a run.

/** What a part needs beside Node.js: programs, PostgreSQL with Redis (`servers`), and the rights of root */
export type Need = 'servers' | 'root' | 'chromium' | 'nginx' | 'caddy' | 'kubectl' | 'promtool' | 'pgbouncer'

export type Part = Readonly<{
  name: string
  shows: string
  /** A command of the shell, with the URLs of the servers as $SERVER, $REDIS and $POOLER */
  run: string
  /** What `.ci/run` runs of it: the same, or a shorter command. Other parts are run by `npm run verify` only. */
  ci?: true | string
  needs?: readonly Need[]
  /** Parts of a lane run one after the other, beside the other lane. Parts without one use all processors. */
  lane?: 'left' | 'right'
}>

const ON_SERVERS = 'DATABASE_URL=$SERVER REDIS_URL=$REDIS'
const example = (name: string): string =>
  ['ci', 'run build', 'run glue'].map((command) => `npm ${command} --prefix examples/${name}`).join(' && ')

const BESIDE: readonly Part[] = [
  { lane: 'left', name: 'lint', ci: true, shows: 'ESLint finds no fault', run: 'npm run lint' },
  {
    lane: 'left',
    name: 'recipes',
    shows: 'the recipes for a profile field and an operation work',
    run: 'node scripts/recipes.mjs',
  },
  {
    lane: 'left',
    name: 'pages',
    ci: 'npm run test:browser -- --sample',
    shows: 'a form and the documentation work in Chromium',
    run: 'npm run test:browser',
    needs: ['chromium'],
  },
  {
    lane: 'right',
    name: 'types',
    ci: true,
    shows: 'types fit, and operations declare the codes that they throw',
    run: 'npm run types',
  },
  {
    lane: 'right',
    name: 'document',
    ci: true,
    shows: 'generated files are current, and the document lints',
    run: 'npm run generate -- --check',
  },
  { lane: 'right', name: 'format', ci: true, shows: 'files are formatted', run: 'npx prettier --check .' },
  {
    lane: 'right',
    name: 'breaking',
    ci: true,
    shows: 'the document breaks no client of the last release',
    run: 'npm run breaking',
  },
  {
    lane: 'right',
    name: 'migrations',
    ci: true,
    shows: 'the migrations make the schema',
    run: 'npm run migration -- --check',
  },
  {
    lane: 'right',
    name: 'statements',
    ci: true,
    shows: 'the statements of the last release run on the migrated tables',
    run: 'DATA_DIR=$(mktemp -d) npm run migrate -- --check-compatibility',
  },
  {
    lane: 'right',
    name: 'example-web',
    ci: true,
    shows: 'the example page builds, with little glue',
    run: example('web'),
  },
  { lane: 'right', name: 'example-react', shows: 'the example in React does too', run: example('react') },
  {
    lane: 'right',
    name: 'example-pages',
    ci: 'node dist/test/browser/example-web.js',
    shows: 'the example page works in Chromium',
    run: 'npm test --prefix examples/web',
    needs: ['chromium'],
  },
  {
    lane: 'right',
    name: 'react-pages',
    shows: 'the example in React works in Chromium',
    run: 'npm test --prefix examples/react',
    needs: ['chromium'],
  },
  { lane: 'right', name: 'mock', shows: 'the mock server responds as documented', run: 'npm run mock -- --check' },
  { lane: 'right', name: 'flows', shows: 'the flows run against the service', run: 'npm run flows' },
  { lane: 'right', name: 'sbom', shows: 'the bill of materials is complete', run: 'npm run package -- sbom' },
  {
    lane: 'right',
    name: 'package',
    shows: 'the package installs, and runs with production dependencies',
    run: 'npm run package -- check',
  },
  {
    lane: 'right',
    name: 'sdk-package',
    shows: 'the package of the SDK has types for each way to import it',
    run: 'npm run package:check -w sdk',
  },
  {
    lane: 'right',
    name: 'sdk-native',
    shows: 'the SDK runs with the sources of React Native',
    run: 'npm run test:native -w sdk',
  },
  {
    lane: 'right',
    name: 'sdk-pages',
    shows: 'the SDK and passkeys work in Chromium',
    run: 'npm run test:browser -w sdk',
    needs: ['chromium'],
  },
  {
    lane: 'right',
    name: 'clients',
    shows: 'generated clients compile, and work with the service',
    run: 'npm run sdks -- --ci',
  },
]

const ALONE: readonly Part[] = [
  { name: 'suite', ci: true, shows: 'the suite passes on embedded databases', run: 'npm test' },
  {
    name: 'server-suite',
    ci: `${ON_SERVERS} npm test -- --servers`,
    shows: 'the suite passes on PostgreSQL and Redis, with a role that cannot change tables',
    run: `TEST_ROLE=dml ${ON_SERVERS} npm test`,
    needs: ['servers'],
  },
  {
    name: 'pooler-suite',
    shows: 'the suite passes through PgBouncer',
    run: 'DATABASE_POOLER=transaction DATABASE_URL=$POOLER DATABASE_DIRECT_URL=$SERVER REDIS_URL=$REDIS npm test',
    needs: ['servers', 'pgbouncer'],
  },
  {
    name: 'matrices',
    shows: 'the sample of the day of each matrix passes',
    run: `MATRIX=$(($(date +%s) / 86400)) ${ON_SERVERS} npm test -- matrix/`,
    needs: ['servers'],
  },
  {
    name: 'deployment',
    shows: 'manifests, rules and metrics are valid, and nginx and Caddy pass on what the service needs',
    run: 'npm test -- house/deploy house/kubernetes house/monitoring runtime/proxies',
    needs: ['kubectl', 'promtool', 'nginx', 'caddy'],
  },
  {
    name: 'controls',
    ci: 'npm run security-controls -- --daily 1',
    shows: 'the tests of the security controls of the day fail without them',
    run: 'npm run security-controls -- --daily 6',
  },
  {
    name: 'image',
    shows: 'the file system of the image is small, and the service starts in it',
    run: `${ON_SERVERS} npm run package -- try`,
    needs: ['servers', 'root'],
  },
  {
    name: 'upgrade',
    shows: 'an upgrade from the last release, and back, fails no request under load',
    run: `${ON_SERVERS} npm run rolling-restart -- --from last --requests 1000`,
    needs: ['servers', 'nginx'],
  },
  {
    name: 'gate',
    shows: 'no request costs more than in the last release',
    run: 'DATABASE_URL=$SERVER BENCH_READS=1000 BENCH_WRITES=64 npm run bench -- --gate',
    needs: ['servers'],
  },
]

/** The build comes first: without it, no other part runs. */
export const BUILD: Part = { name: 'build', ci: true, shows: 'the project builds', run: 'npm run build' }
export const PARTS: readonly Part[] = [BUILD, ...BESIDE, ...ALONE]
