import type { Config } from '../config/index.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Observers } from '../lib/observers.ts'
import type { Tracer } from '../lib/tracing.ts'
import { readVersion } from '../lib/version.ts'
import type { ManagementRoutes, ManagementServer } from '../management/server.ts'

export type Telemetry = Observers &
  Readonly<{
    /** The routes of the management server, to which the service adds its own */
    routes: ManagementRoutes
    /** The port of the management server; undefined if there is none */
    port: number | undefined
    /** Sends the last spans and ends the management server. */
    close(): Promise<void>
  }>

type TelemetryConfig = Config['telemetry']

/** Opens the parts of telemetry that are configured. The others are not loaded. */
export async function openTelemetry({ management, tracing }: TelemetryConfig): Promise<Telemetry> {
  const routes: ManagementRoutes = new Map()
  const metrics = management && (await openMetrics(routes))
  const server = management && (await openManagement(management, routes))
  const tracer = tracing && (await openTracing(tracing))
  return {
    metrics,
    tracer,
    routes,
    port: server?.port,
    async close() {
      await tracer?.close()
      await server?.close()
    },
  }
}

async function openMetrics(routes: ManagementRoutes): Promise<Metrics> {
  const { collectMetrics } = await import('./metrics/index.ts')
  const metrics = collectMetrics()
  routes.set('/metrics', metrics.render)
  return metrics
}

async function openManagement(
  listening: NonNullable<TelemetryConfig['management']>,
  routes: ManagementRoutes,
): Promise<ManagementServer> {
  const { openManagementServer } = await import('../management/server.ts')
  return openManagementServer(listening, routes)
}

async function openTracing(config: NonNullable<TelemetryConfig['tracing']>): Promise<Tracer> {
  const { openTracer } = await import('./tracing/index.ts')
  return openTracer(config, readVersion())
}
