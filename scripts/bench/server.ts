// The process that is measured: the service, and beside it bare Fastify routes to compare it with.
import fastify from 'fastify'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '../../src/adapters/clock.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/index.ts'
import { jsonLog } from '../../src/lib/log.ts'

export type ServerRequest =
  | { act: 'origins' }
  | { act: 'usage' }
  | { act: 'watch delay' }
  | { act: 'delay' }
  | { act: 'constant'; name: string; answer: unknown }
export type ServerReport = { service: string; bare: string; cpuMicros: number; delayMs: number }

const config = readConfig({ ...process.env, NODE_ENV: 'development' })
const app = await openApp(config, { log: jsonLog('warn'), clock: systemClock })
const service = await app.server.listen({ host: '127.0.0.1', port: 0 })

const answers = new Map<string, unknown>()
const bare = fastify()
bare.get('/constant/:name', (request) => answers.get((request.params as { name: string }).name))
bare.get('/token', ({ headers: { authorization = '' } }) => {
  const { accountId } = app.context.tokens.read(authorization.slice('Bearer '.length))
  return { status: true, code: 200, message: 'The access token is valid.', data: { account: { id: accountId } } }
})
const bareOrigin = await bare.listen({ host: '127.0.0.1', port: 0 })

const delay = monitorEventLoopDelay({ resolution: 1 })
process.on('message', (message: ServerRequest) => {
  if (message.act === 'constant') answers.set(message.name, message.answer)
  if (message.act === 'watch delay') {
    delay.reset()
    delay.enable()
  }
  const { user, system } = process.cpuUsage()
  const report: ServerReport = {
    service,
    bare: bareOrigin,
    cpuMicros: user + system,
    delayMs: delay.percentile(99) / 1e6,
  }
  process.send?.(report)
})
