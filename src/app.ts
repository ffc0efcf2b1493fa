import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { hmacCodes } from './adapters/codes.ts'
import { parseKeys, readKeyFile, readOrMakeKeyFile, type Keys } from './adapters/keys.ts'
import { rateLimits } from './adapters/limits.ts'
import { bcryptPasswords } from './adapters/passwords.ts'
import { phoneNumbers } from './adapters/phone-numbers.ts'
import { logOutbox, type Outbox } from './adapters/sms-log.ts'
import { webhookProvider } from './adapters/sms-webhook.ts'
import { smsBy, type SmsProvider } from './adapters/sms.ts'
import { jwtTokens } from './adapters/tokens.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Clock } from './domain/clock.ts'
import type { Departure } from './http/arrival.ts'
import { createServer, serve } from './http/server.ts'
import { operations } from './operations/index.ts'
import { openDatabase, type Database, type Place } from './store/database.ts'
import { openStore } from './store/index.ts'

export type App = {
  server: FastifyInstance
  context: Context
  /** The messages that were not sent, where the provider `log` is in use */
  outbox: Outbox | undefined
  /** Set when the service is about to stop: new requests are told so */
  departure: Departure
  close(): Promise<void>
}

/** A database that is given is left open when the service closes. */
export type Surroundings = { log: Logger; clock: Clock; database?: Database }

const PASSWORD_QUEUE_MAX = 100

/**
 * Puts the service together, from the configuration to a server that is ready to listen.
 *
 * @throws StartFailure when something that it needs cannot be had
 */
export async function openApp(config: Config, { log, clock, ...given }: Surroundings): Promise<App> {
  const database = given.database ?? (await openDatabase(placeOf(config)))
  const store = openStore(database, { clock, log })
  try {
    const keys = keysOf(config)
    const { bcryptCost: cost, passwordThreads: threads } = config
    const passwords = bcryptPasswords({ cost, threads, queueMax: PASSWORD_QUEUE_MAX })
    if (config.hasDemoData) await store.addDemoAccounts()

    const departure = { isLeaving: false }
    const serverOptions = { ...config, log, departure }
    const server = createServer(serverOptions)
    const outbox = logOutbox(({ to, text }) => log.info({ to, text }, 'SMS (not sent)'))
    const limits = await rateLimits({
      redisUrl: config.redisUrl,
      prefix: config.redisPrefix,
      onFault: (fault) => log.warn({ err: fault }, 'Redis cannot be asked'),
    })
    const context: Context = {
      store,
      passwords,
      limits,
      phoneNumbers,
      log,
      codes: hmacCodes(keys.otp),
      tokens: await jwtTokens(server, { ...config.tokens, keys: keys.tokens, clock }),
      sms: smsBy(config.sms.providers.map((name) => providerOf(name, config, outbox))),
      smsCountries: config.sms.countries,
    }
    const servedOutbox = config.sms.providers.includes('log') ? outbox : undefined
    await serve(server, serverOptions, { operations, context, outbox: servedOutbox })
    return {
      server,
      context,
      outbox: servedOutbox,
      departure,
      async close() {
        await server.close()
        limits.close()
        await passwords.close()
        if (!given.database) await database.close()
      },
    }
  } catch (error) {
    if (!given.database) await database.close()
    throw error
  }
}

function placeOf({ databaseUrl, databaseConnections, dataDir }: Config): Place {
  return databaseUrl === undefined ? { folder: dataDir } : { url: databaseUrl, connectionsMax: databaseConnections }
}

function keysOf({ keys, isProduction }: Config): Keys {
  if ('text' in keys) return parseKeys(keys.text, 'KEYS')
  return isProduction ? readKeyFile(keys.file) : readOrMakeKeyFile(keys.file)
}

function providerOf(name: string, { sms }: Config, outbox: Outbox): SmsProvider {
  if (name === 'log') return outbox.provider
  if (sms.webhookUrl === undefined) throw new Error('the configuration has a webhook without its address')
  return webhookProvider(sms.webhookUrl, { token: sms.webhookToken })
}
