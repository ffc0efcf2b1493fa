// Checks of what deploy/ provides, and of what the package contains. No container engine is needed.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { newKeys } from '../../src/adapters/keys/index.ts'
import { readConfig } from '../../src/config/index.ts'

const KUBERNETES = 'deploy/kubernetes/base'
const PROBES = { startupProbe: 'started', readinessProbe: 'ready', livenessProbe: 'live' } as const
/** Variables that the base leaves to a secret */
const SECRETS = {
  DATABASE_URL: 'postgresql://tawthiq:password@db.internal:5432/tawthiq',
  REDIS_URL: 'rediss://redis.internal:6379',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  SMTP_URL: 'smtps://user:password@mail.example',
  KEYS: newKeys(),
}

type Labels = Record<string, string>
type Container = {
  args: string[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: { limits: { memory: string } }
  volumeMounts: { name: string; mountPath: string }[]
} & Partial<Record<keyof typeof PROBES, { httpGet: { path: string; port: string } }>>
type Pod = { securityContext: object; containers: [Container]; terminationGracePeriodSeconds: number }
type Resource = {
  kind: string
  spec: {
    selector: Labels & { matchLabels: Labels }
    podSelector: { matchLabels: Labels }
    template: { metadata: { labels: Labels }; spec: Pod }
  }
}

const read = (path: string): string => readFileSync(path, 'utf8')

function resources(): Record<string, Resource> {
  const { resources: files } = parse(read(`${KUBERNETES}/kustomization.yaml`)) as { resources: string[] }
  const documents = files.flatMap((file) => parseAllDocuments(read(`${KUBERNETES}/${file}`)))
  return Object.fromEntries(documents.map((each) => each.toJS() as Resource).map((each) => [each.kind, each]))
}

function resource(kind: string): Resource {
  const found = resources()[kind]
  if (!found) throw new Error(`${KUBERNETES} has no ${kind}`)
  return found
}

void t.test('the Dockerfile runs the service without rights and without build tools', (t) => {
  const text = read('deploy/Dockerfile')
  const [, build = '', final = ''] = text.split(/^FROM /m)
  t.match(build, /^node:(\d+)-/, 'the build uses the official image')
  t.match(final, /^gcr\.io\/distroless\/nodejs24-debian12:nonroot$/m)
  t.match(final, /^USER 65532:65532$/m)
  t.notMatch(final, /^(RUN|ADD)\b/m, 'nothing is installed in the image')
  t.same(
    [...final.matchAll(/^COPY .*$/gm)].map(([line]) => line),
    ['COPY --from=build /app /app'],
  )
  const [, major] = /nodejs(\d+)-/.exec(final) ?? []
  t.equal(/^node:(\d+)/.exec(build)?.[1], major, 'the versions of Node.js are equal')
  t.match(read('scripts/package/image.mjs'), new RegExp(`NODE_VERSION = '${major ?? ''}\\.`))
  t.match(final, /^ENTRYPOINT \["\/nodejs\/bin\/node", "dist\/service\/main\.js"\]$/m)
  t.ok(existsSync('dist/service/main.js'))
  const ignored = read('.dockerignore').replaceAll('**/', '').split('\n')
  for (const source of ['node_modules', 'dist', '.env', '.git']) {
    t.ok(ignored.includes(source), source)
  }
  t.end()
})

void t.test('compose.yaml is a valid configuration, and defines all that it names', (t) => {
  const compose = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
    services: Record<string, { depends_on?: object; environment?: Labels; read_only?: boolean; volumes?: string[] }>
    volumes: object
  }
  const { services, volumes } = compose
  const { KEYS: _, ...environment } = services['tawthiq']?.environment ?? {}
  const config = readConfig({ ...environment, KEYS: newKeys() })
  t.ok(config.isProduction)
  for (const [name, { depends_on: needed = {}, volumes: mounted = [] }] of Object.entries(services)) {
    for (const each of Object.keys(Array.isArray(needed) ? {} : needed)) t.ok(each in services, `${name} needs ${each}`)
    for (const each of mounted) t.ok((each.split(':')[0] ?? '') in volumes, each)
  }
  for (const name of ['tawthiq', 'migrate', 'sms']) t.equal(services[name]?.read_only, true, name)
  t.end()
})

void t.test('the variables of Kubernetes are a valid configuration', (t) => {
  const lines = read(`${KUBERNETES}/tawthiq.env`).trim().split('\n')
  const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  t.ok(readConfig({ ...variables, ...SECRETS }).isProduction)
  t.equal(variables['MIGRATE_AT_START'], 'no', 'the job applies migrations')
  t.end()
})

void t.test('pods run without rights, on a read-only file system, with limits', (t) => {
  for (const kind of ['Deployment', 'Job']) {
    const { securityContext, containers } = resource(kind).spec.template.spec
    const [container] = containers
    t.match(securityContext, { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } }, kind)
    t.match(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    t.match(container.resources.limits.memory, /^\d+[MG]i$/)
    t.ok(container.volumeMounts.some(({ mountPath }) => mountPath === '/tmp'))
  }
  t.same(resource('Job').spec.template.spec.containers[0].args, ['migrate'])
  t.end()
})

void t.test('each probe has its own path', (t) => {
  const [container] = resource('Deployment').spec.template.spec.containers
  for (const [probe, path] of Object.entries(PROBES)) {
    t.match(container[probe as keyof typeof PROBES], { httpGet: { path: `/health/${path}`, port: 'http' } })
  }
  t.same(
    container.ports?.map(({ name }) => name),
    ['http', 'management'],
  )
  t.end()
})

void t.test('selectors match the pods that they are meant for', (t) => {
  const { labels } = resource('Deployment').spec.template.metadata
  const migration = resource('Job').spec.template.metadata.labels
  for (const kind of ['Deployment', 'PodDisruptionBudget']) {
    t.match(labels, resource(kind).spec.selector.matchLabels, kind)
    t.notMatch(migration, resource(kind).spec.selector.matchLabels, `${kind}, not the migration`)
  }
  t.match(labels, resource('Service').spec.selector)
  t.notMatch(migration, resource('Service').spec.selector)
  for (const each of [labels, migration]) t.match(each, resource('NetworkPolicy').spec.podSelector.matchLabels)
  t.end()
})

void t.test('the package contains what the service reads', async (t) => {
  const { filesOf, unbundledPackages } = (await import(
    new URL('../../../scripts/package/contents.mjs', import.meta.url).href
  )) as { filesOf(options: object): string[]; unbundledPackages(options: object): string[] }
  const manifest = JSON.parse(read('package.json')) as { files: string[]; dependencies: Labels }
  for (const path of filesOf({ isDevelopment: true })) {
    t.ok(existsSync(path), path)
    const isPacked = manifest.files.some((each) => path === each || path.startsWith(`${each}/`))
    t.ok(isPacked || path === 'LICENSE', `${path} is listed in "files"`)
  }
  for (const name of unbundledPackages({ isDevelopment: true })) t.ok(name in manifest.dependencies, name)
})

const hasLogrotate = spawnSync('logrotate', ['--version']).status === 0

void t.test('logrotate rotates the log of a running process', { skip: !hasLogrotate && 'needs logrotate' }, (t) => {
  const folder = t.testdir()
  const [log, settings] = [join(folder, 'service.log'), join(folder, 'logrotate')]
  const [, block = ''] = /^```text\n(\S+service\.log \{[^`]+)```/m.exec(read('docs/operate.md')) ?? []
  writeFileSync(settings, block.replace(/^\S+/, log), { mode: 0o644 })
  const output = openSync(log, 'a')
  writeSync(output, 'first\n')
  const { status, stderr } = spawnSync('logrotate', ['--force', '--state', join(folder, 'state'), settings])
  t.equal(status, 0, stderr.toString())
  writeSync(output, 'second\n')
  closeSync(output)
  t.equal(read(`${log}.1`), 'first\n')
  t.equal(read(log), 'second\n')
  t.end()
})
