// The process that is measured: the service, and beside it bare Fastify routes to compare it with.
import fastify from 'fastify'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { readDatabaseMicros } from './database.ts'
import { SMS_BUDGETS } from './sms-budgets.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/index.ts'
import { jsonLog } from '../../src/lib/log.ts'

export type ServerRequest =
  | { act: 'origins' }
  | { act: 'usage' }
  | { act: 'watch delay' }
  | { act: 'delay' }
  /** The code that was sent to a phone number */
  | { act: 'code'; phone: string }
  | { act: 'constant'; name: string; answer: unknown }
export type ServerReport = {
  service: string
  bare: string
  cpuMicros: number
  /** Time in which the event loop was busy */
  loopMicros: number
  /** CPU time of the database's processes; 0 if they run elsewhere */
  databaseMicros: number
  delayMs: number
  code: string
}

const { BENCH_BCRYPT_COST: cost, DATABASE_URL: url } = process.env
const environment = { ...process.env, ...SMS_BUDGETS, NODE_ENV: 'development', TRUST_PROXY: '127.0.0.1' }
const config = { ...readConfig(environment), ...(cost !== undefined && { bcryptCost: Number(cost) }) }
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
process.on('disconnect', () => process.exit())
process.on('message', (message: ServerRequest) => void report(message))

async function report(message: ServerRequest): Promise<void> {
  if (message.act === 'constant') answers.set(message.name, message.answer)
  if (message.act === 'watch delay') {
    delay.reset()
    delay.enable()
  }
  const { user, system } = process.cpuUsage()
  const code = message.act === 'code' ? readCode(message.phone) : ''
  const report: ServerReport = {
    service,
    bare: bareOrigin,
    cpuMicros: user + system,
    loopMicros: performance.eventLoopUtilization().active * 1000,
    databaseMicros: url !== undefined && message.act === 'usage' ? await readDatabaseMicros(url) : 0,
    code,
    delayMs: delay.percentile(99) / 1e6,
  }
  process.send?.(report)
}

/** Returns the code in the last SMS to a number. */
function readCode(phone: string): string {
  const message = app.outbox?.messages.find(({ to }) => to === phone)
  return /\d{6}/.exec(message?.text ?? '')?.[0] ?? ''
}
