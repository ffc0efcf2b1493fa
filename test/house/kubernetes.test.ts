// The manifests of Kubernetes as kubectl renders them, and that they fit together. The oldest kubectl has Kustomize 2.0.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { newKeys } from '../../src/adapters/keys/index.ts'
import { readConfig } from '../../src/config/index.ts'

const DIRECTORIES = ['base', 'overlays/production']
const COMPONENT = 'app.kubernetes.io/component'
/** Servers of an installation, with the ports that secrets of docs/deploy.md can name */
const SECRETS = {
  DATABASE_URL: 'postgresql://tawthiq:password@db.internal:5432/tawthiq',
  REDIS_URL: 'rediss+sentinel://s1.internal:26379,s2.internal:26379/main',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  SMTP_URL: 'smtp://relay.internal:25',
  KEYS: newKeys(),
}
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }

type Labels = Record<string, string>
type Port = { name?: string; port: number | string; protocol?: string }
type Manifest = {
  kind: string
  metadata: { name: string; namespace: string; labels: Labels }
  data?: Labels
  spec: {
    replicas?: number
    selector: Labels & { matchLabels: Labels }
    ports: Port[]
    scaleTargetRef: { kind: string; name: string }
    endpoints: { port: string }[]
    jobLabel?: string
    rules: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[]
    egress?: { ports: Port[] }[]
    template: { metadata: { labels: Labels }; spec: { containers: { image: string; envFrom: Reference[] }[] } }
  }
}
type Reference = { configMapRef?: { name: string } }

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const skip = !hasKubectl && 'needs kubectl (Debian: kubernetes-client)'

function render(directory: string): Manifest[] {
  const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', `deploy/kubernetes/${directory}`])
  if (status !== 0) throw new Error(stderr.toString())
  return parseAllDocuments(stdout.toString()).map((document) => document.toJS() as Manifest)
}

const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((each) => each.kind === kind)

function only(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = ofKind(manifests, kind)
  if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} manifests of the kind ${kind}`)
  return found
}

for (const directory of DIRECTORIES) {
  void t.test(`${directory}: pods get the variables and the image`, { skip }, (t) => {
    const manifests = render(directory)
    const { metadata, data = {} } = only(manifests, 'ConfigMap')
    t.ok(readConfig({ ...data, ...SECRETS }).isProduction)
    for (const kind of ['Deployment', 'Job']) {
      const [container] = only(manifests, kind).spec.template.spec.containers
      t.match(container?.envFrom, [{ configMapRef: { name: metadata.name } }], kind)
      t.match(container?.image, /^registry\.\w+\/tawthiq:\d+\.\d+\.\d+$/)
    }
    for (const each of manifests) {
      t.match(each.metadata, { namespace: 'tawthiq', labels: { 'app.kubernetes.io/name': 'tawthiq' } }, each.kind)
    }
    t.end()
  })

  void t.test(
    `${directory}: the selector of the first step has the job and its variables, and nothing else`,
    { skip },
    (t) => {
      const first = render(directory).filter(({ metadata }) =>
        ['configuration', 'migrate'].includes(metadata.labels[COMPONENT] ?? ''),
      )
      t.same(first.map(({ kind }) => kind).sort(), ['ConfigMap', 'Job'])
      t.end()
    },
  )
}

void t.test('the network policies allow the ports of all configured servers', { skip }, (t) => {
  const manifests = render('overlays/production')
  const policies = ofKind(manifests, 'NetworkPolicy').flatMap(({ spec }) => spec.egress ?? [])
  const allowed = new Set(policies.flatMap(({ ports }) => ports.map(({ port }) => port)))
  const variables = { ...only(manifests, 'ConfigMap').data, ...SECRETS }
  const servers = Object.entries(variables).flatMap(([name, value]) =>
    /^[a-z0-9+]+:\/\//.test(value) && !/^(PASSWORD_RESET|EMAIL_CONFIRMATION)_URL$|^CORS_ORIGINS$/.test(name)
      ? value.split(',').map((part) => [name, new URL(part.includes('://') ? part : `x://${part}`)] as const)
      : [],
  )
  t.ok(servers.length >= 6)
  for (const [name, { port, protocol }] of servers) {
    t.ok(allowed.has(port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port)), name)
  }
  t.end()
})

void t.test('requests, metrics and the autoscaler reach the pods of the service', { skip }, (t) => {
  const manifests = render('overlays/production')
  const deployment = only(manifests, 'Deployment')
  const services = ofKind(manifests, 'Service')
  for (const { spec } of services) t.match(deployment.spec.template.metadata.labels, spec.selector)

  for (const { backend } of only(manifests, 'Ingress').spec.rules.flatMap(({ http }) => http.paths)) {
    const target = services.find(({ metadata }) => metadata.name === backend.service.name)
    t.ok(target?.spec.ports.some(({ name }) => name === backend.service.port.name))
    t.notOk(
      target?.spec.ports.some(({ name }) => name === 'management'),
      'metrics are not published',
    )
  }
  const { selector, endpoints, jobLabel = '' } = only(manifests, 'ServiceMonitor').spec
  const monitored = services.filter(({ metadata }) => isSelected(metadata.labels, selector.matchLabels))
  t.equal(monitored.length, 1)
  const job = monitored[0]?.metadata.labels[jobLabel] // without the label, it is the name of the Service
  for (const rules of ['alerts', 'service-levels']) {
    t.same(jobsIn(`deploy/prometheus/${rules}.yaml`, /\bjob="(.+?)"/g), new Set([job]), rules)
  }
  t.same(jobsIn('docs/monitoring.md', /\bjob_name: (\S+)/g), new Set([job]), 'job of the example')
  for (const { port } of endpoints) t.ok(monitored[0]?.spec.ports.some(({ name }) => name === port))

  const { scaleTargetRef } = only(manifests, 'HorizontalPodAutoscaler').spec
  t.match(deployment, { kind: scaleTargetRef.kind, metadata: { name: scaleTargetRef.name } })
  t.notOk('replicas' in deployment.spec, 'the autoscaler sets the number of pods')
  t.end()
})

function jobsIn(file: string, pattern: RegExp): Set<string | undefined> {
  return new Set([...readFileSync(file, 'utf8').matchAll(pattern)].map(([, job]) => job))
}

function isSelected(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value)
}
