// A service with metrics and traces, and what operators read of it.
import type { Test } from 'tap'
import { readConfig, type Config } from '../../../src/config/index.ts'
import { openTelemetry, type Telemetry } from '../../../src/telemetry/index.ts'
import { localServer } from '../servers/local-server.ts'
import { openService } from './service.ts'
import { openWorld, type World } from './world.ts'

export type Observed = {
  world: World
  telemetry: Telemetry
  readMetrics: () => Promise<MetricsText>
  /** The access lines of a service in production, oldest first */
  accessLines: string[]
}

/** Opens a service that is observed as the variables say. */
export async function openObserved(
  t: Test,
  variables: Record<string, string>,
  config: Partial<Config> = {},
): Promise<Observed> {
  const { telemetry: telemetryConfig } = readConfig({ NODE_ENV: 'test', ...variables })
  const telemetry = await openTelemetry(telemetryConfig)
  const accessLines: string[] = []
  const accessLog = { write: (line: string) => accessLines.push(line) }
  const service = await openService({
    config: { ...config, telemetry: telemetryConfig },
    telemetry: { observers: telemetry, ...(config.isProduction && { accessLog }) },
  })
  t.teardown(async () => {
    await service.close()
    await telemetry.close()
  })
  const readMetrics = (): Promise<MetricsText> => fetchMetrics(telemetry.port ?? 0)
  return { world: await openWorld(service), telemetry, readMetrics, accessLines }
}

export type MetricsText = {
  text: string
  /** Returns the value of the sample with this name and these labels; undefined if there is none */
  valueOf(name: string, labels?: Record<string, string>): number | undefined
  /** Returns the sum of all samples with this name. */
  sumOf(name: string): number
}

async function fetchMetrics(port: number): Promise<MetricsText> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  if (response.status !== 200) throw new Error(`the metrics have the status ${response.status}`)
  const text = await response.text()
  const samples = text.split('\n').map(parseSample)
  return {
    text,
    valueOf: (name, labels = {}) =>
      samples.find((sample) => sample?.name === name && isSubset(labels, sample.labels))?.value,
    sumOf: (name) => samples.reduce((sum, sample) => sum + (sample?.name === name ? sample.value : 0), 0),
  }
}

type Sample = { name: string; labels: Record<string, string>; value: number }

function parseSample(line: string): Sample | undefined {
  const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || line.startsWith('#')) return undefined
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }
}

function isSubset(part: Record<string, string>, whole: Record<string, string>): boolean {
  return Object.entries(part).every(([key, value]) => whole[key] === value)
}

/** A span as an OTLP receiver gets it */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  isError: boolean
}

type WireSpan = Omit<ReceivedSpan, 'attributes' | 'isError'> & {
  attributes: { key: string; value: Record<string, unknown> }[]
  status?: { code?: number }
}
type WireBody = { resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[] }

const ERROR = 2

/** Starts a receiver of spans by OTLP over HTTP as JSON. */
export async function openSpanReceiver(t: Test): Promise<{ url: string; spans: ReceivedSpan[] }> {
  const spans: ReceivedSpan[] = []
  const url = await localServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as WireBody
      const received = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
      spans.push(...received.map(toSpan))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  return { url, spans }
}

function toSpan({ attributes, status, ...span }: WireSpan): ReceivedSpan {
  const entries = attributes.map(({ key, value }) => [key, Object.values(value)[0]])
  return {
    ...span,
    attributes: Object.fromEntries(entries) as Record<string, unknown>,
    isError: status?.code === ERROR,
  }
}
