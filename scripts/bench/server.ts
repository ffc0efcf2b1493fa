// The process that is measured: the service, and beside it bare Fastify routes to compare it with.
import fastify from 'fastify'
import { readConfig } from '../../src/config.ts'
import { openApp } from '../../src/app.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { jsonLog } from '../../src/log.ts'

const config = readConfig({
  ...process.env,
  PORT: '0',
  NODE_ENV: 'development',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
})
const app = await openApp(config, { log: jsonLog(config.logLevel), clock: systemClock })
const service = await app.server.listen({ host: '127.0.0.1', port: 0 })

const bare = fastify()
const answers = new Map<string, object>()
bare.get('/constant/:name', (request) => answers.get((request.params as { name: string }).name) ?? {})
bare.get('/token', (request) => {
  const { accountId } = app.context.tokens.read((request.headers.authorization ?? '').slice('Bearer '.length))
  return { status: true, code: 200, message: 'ok', data: { id: accountId } }
})
const bareOrigin = await bare.listen({ host: '127.0.0.1', port: 0 })

process.on('message', (message: { act: 'cpu' } | { act: 'constant'; name: string; answer: object }) => {
  if (message.act === 'constant') answers.set(message.name, message.answer)
  process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss })
})
process.send?.({ service, bare: bareOrigin })
