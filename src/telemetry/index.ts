import type { Config } from '../config/index.ts'
import type { Observers } from '../lib/observers.ts'
import { readVersion } from '../lib/version.ts'
import { openManagementServer, type ManagementRoutes } from '../management/server.ts'

export type Telemetry = Observers &
  Readonly<{
    /** The routes of the management server, to which the service adds its own */
    routes: ManagementRoutes
    /** The port of the management server; undefined if there is none */
    port: number | undefined
    /** Sends the last spans and ends the management server. */
    close(): Promise<void>
  }>

/** Opens the parts of telemetry that are configured. The others are not loaded. */
export async function openTelemetry({ management, tracing }: Config['telemetry']): Promise<Telemetry> {
  const routes: ManagementRoutes = new Map()
  const metrics = management && (await import('./metrics.ts')).collectMetrics()
  if (metrics) routes.set('/metrics', metrics.render)
  const server = management && (await openManagementServer(management, routes))
  const tracer = tracing && (await import('./tracing/index.ts')).openTracer(tracing, readVersion())
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
