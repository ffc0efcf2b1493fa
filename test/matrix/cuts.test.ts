// A connection can be cut at any time, in any way. The service runs on, and nothing of the requests remains.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { hasPhase, PHASES, TARGETS, WAYS } from '../support/cuts/axes.ts'
import { cut } from '../support/cuts/cut.ts'
import { buildRequest, type Site } from '../support/cuts/requests.ts'
import { readConfig } from '../../src/config/index.ts'
import { clientForm } from '../support/accounts/profile-forms.ts'
import { cellName, matrixCells, type Cell } from '../support/cases/matrix.ts'
import { giveFile, image } from '../support/files/files.ts'
import { localServer } from '../support/servers/local-server.ts'
import { openObserved, type Observed } from '../support/service/telemetry.ts'
import type { World } from '../support/service/world.ts'
import { RECEIPT_SETTINGS, receiptsConfig } from '../support/sms/receipts.ts'

const AXES = {
  setting: ['nothing', 'access lines', 'metrics', 'traces', 'a trusted proxy', 'everything'],
  encoding: ['identity', 'compressed'],
  target: TARGETS,
  way: WAYS,
  phase: PHASES,
} as const
type Setting = (typeof AXES.setting)[number]
type CutCell = Cell<typeof AXES>

const SAMPLE = 200
/** The service accepts one connection in each turn of its loop, so that the others can be reset before it does. */
const AT_ONCE = 3
const WAIT_MS_MAX = 20_000

type Variables = Record<string, string>

/** The variables of each setting. Traces are sent to `collector`. */
const VARIABLES: Record<Setting, (collector: string) => Variables> = {
  nothing: () => ({ ACCESS_LOG: 'no' }),
  'access lines': () => ({ ACCESS_LOG: 'yes' }),
  metrics: () => ({ ACCESS_LOG: 'no', MANAGEMENT_PORT: '0' }),
  traces: (collector) => ({ ACCESS_LOG: 'no', OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
  'a trusted proxy': () => ({ ACCESS_LOG: 'yes', TRUST_PROXY: '127.0.0.1' }),
  everything: (collector) => ({
    ACCESS_LOG: 'yes',
    MANAGEMENT_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    TRUST_PROXY: '127.0.0.1',
  }),
}

/** Only some settings have a management port. */
function exists({ setting, target, phase }: CutCell): boolean {
  const hasPort = setting === 'metrics' || setting === 'everything'
  return hasPhase({ target, phase }) && (target !== 'management port' || hasPort)
}

async function openSetting(t: Test, setting: Setting): Promise<Observed> {
  const collector = await localServer(t, (request, response) => {
    request.resume().on('end', () => response.end())
  })
  const variables = VARIABLES[setting](collector)
  const { trustedProxies } = readConfig({ NODE_ENV: 'test', ...variables })
  return openObserved(t, variables, { ...receiptsConfig(), isProduction: true, trustedProxies })
}

async function openSite({ world, telemetry: { port } }: Observed): Promise<Site> {
  const person = await world.person()
  const photo = new Blob([new Uint8Array(await image())], { type: 'image/jpeg' })
  return {
    origin: world.service.origin,
    management: port === undefined ? undefined : `http://127.0.0.1:${port}`,
    token: await person.token(),
    form: Object.entries(clientForm(person, { profile_photo: photo })) as [string, string | Blob][],
    filePath: await openFile(world),
    receiptSecret: RECEIPT_SETTINGS.secret,
  }
}

/** Returns the path of the photo of another account. */
async function openFile(world: World): Promise<string> {
  const owner = await world.person()
  await giveFile(world, owner.id, 'profile_photo', await image())
  const { body } = await world.send('getProfile')({ token: await owner.token() })
  const { pathname, search } = new URL(String(body.data.user.profile_photo), 'http://localhost')
  return pathname + search
}

type Remains = Readonly<Record<string, number>>

/** Counts what the requests have left. */
async function countRemains({ world: { service }, telemetry, readMetrics }: Observed): Promise<Remains> {
  const { server } = service.app.server
  const folder = service.config.uploadsDirectory
  const remains = {
    connections: await promisify(server.getConnections.bind(server))(),
    files: readdirSync(folder).flatMap((own) => readdirSync(join(folder, own))).length,
  }
  if (telemetry.port === undefined) return remains
  const { sumOf, valueOf } = await readMetrics()
  const waiting = (backlog: string): number => valueOf('tawthiq_backlog_items', { backlog }) ?? 0
  return {
    ...remains,
    requests: sumOf('http_server_active_requests'),
    waiting: sumOf('tawthiq_queue_waiting'),
    running: sumOf('tawthiq_queue_running'),
    tasks: sumOf('tawthiq_background_tasks'),
    deliveries: waiting('mails') + waiting('events'),
    failures: sumOf('tawthiq_observation_failures_total'),
  }
}

async function untilNothingRemains(observed: Observed): Promise<Remains> {
  const deadlineMs = Date.now() + WAIT_MS_MAX
  for (;;) {
    const remains = await countRemains(observed)
    if (Object.values(remains).every((count) => count === 0) || Date.now() > deadlineMs) return remains
    await sleep(50)
  }
}

const uncaught: unknown[] = []
const note = (error: unknown): void => void uncaught.push(error)
process.on('uncaughtExceptionMonitor', note)
t.teardown(() => process.off('uncaughtExceptionMonitor', note))

const cells = matrixCells(AXES, SAMPLE).filter(exists)
for (const setting of AXES.setting) {
  void t.test(`cuts with ${setting}`, async (t) => {
    const observed = await openSetting(t, setting)
    const site = await openSite(observed)
    observed.world.service.app.server.server.closeIdleConnections() // those that have prepared the site
    for (const { encoding, target, way, phase } of cells.filter((cell) => cell.setting === setting)) {
      await t.test(cellName({ encoding, target, way, phase }), async (t) => {
        const request = await buildRequest(target, site, encoding === 'compressed')
        await Promise.all(Array.from({ length: AT_ONCE }, () => cut(request, { way, phase })))
        t.same(uncaught, [])
      })
    }
    t.equal((await fetch(`${site.origin}/health/live`, { headers: { connection: 'close' } })).status, 200)
    const remains = await untilNothingRemains(observed)
    t.ok(
      Object.values(remains).every((count) => count === 0),
      `nothing remains: ${JSON.stringify(remains)}`,
    )
    for (const line of observed.accessLines) t.type((JSON.parse(line) as { url: unknown }).url, 'string')
    t.same(uncaught, [])
  })
}
