import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { hmacCodes } from './adapters/codes.ts'
import { emailCodes } from './adapters/email-codes.ts'
import { contentReader } from './adapters/files/contents.ts'
import { deviceOf } from './adapters/devices.ts'
import { profileFiles } from './adapters/files/index.ts'
import { signedLinks } from './adapters/files/links.ts'
import { keyedHash } from './adapters/keyed-hash.ts'
import { rateLimits } from './adapters/limits.ts'
import { phoneNumbers } from './adapters/phone-numbers.ts'
import { hmacRefreshTokens } from './adapters/refresh-tokens.ts'
import { background as newBackground } from './adapters/background.ts'
import { logOutbox, type Outbox } from './adapters/outbox.ts'
import { hmacSeals } from './adapters/seals.ts'
import { resetTokens } from './adapters/reset-tokens.ts'
import { jwtTokens } from './adapters/tokens.ts'
import { zipArchive } from './adapters/zip.ts'
import { closers, type Closers } from './closers.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Clock } from './domain/clock.ts'
import { startDeliveries } from './deliveries.ts'
import { demoAccounts } from './demo-accounts.ts'
import { bindAtStart } from './file-store/binding.ts'
import { withDeletionLock } from './file-store/deletion-lock.ts'
import type { Departure } from './http/arrival.ts'
import { createServer, serve } from './http/server.ts'
import { operations } from './operations/index.ts'
import { openDatabase, type Database } from './store/database.ts'
import { openStore } from './store/index.ts'
import { keysOf, mailOf, passwordPartsOf, placeOf, smsPartsOf, storageOf, testNumbersOf, webhookOf } from './parts.ts'
import { startUpkeep } from './upkeep.ts'

export type App = {
  server: FastifyInstance
  context: Context
  /** The messages that were not sent, where development keeps them */
  outbox: Outbox | undefined
  /** Whether the accounts of the demo can be used */
  hasDemoAccounts: boolean
  /** Set when the service is about to stop: new requests are told so */
  departure: Departure
  /** Begins to leave: new requests are told so, and nothing new is begun. */
  leave(): void
  close(): Promise<void>
}

/** A database that is given is left open when the service closes. */
export type Surroundings = { log: Logger; clock: Clock; database?: Database }

/**
 * Puts the service together, from the configuration to a server that is ready to listen.
 *
 * @throws StartFailure when something that it needs cannot be had
 */
export async function openApp(config: Config, surroundings: Surroundings): Promise<App> {
  const opened = closers()
  try {
    return await open(config, surroundings, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function open(config: Config, { log, clock, ...given }: Surroundings, opened: Closers): Promise<App> {
  const database = given.database ?? (await openDatabase(placeOf(config)))
  if (!given.database) opened.add(() => database.close())
  const outbox = logOutbox(({ to, subject, text }) => log.info({ to, subject, text }, 'not sent'))
  const webhook = webhookOf(config, outbox, clock)
  const store = openStore(database, { clock, log, isAddressed: webhook !== undefined })
  const lookups = await store.openLookups()
  const deletionLock = { isLocked: true }
  const storage = withDeletionLock(await storageOf(config), deletionLock)
  const answers = await bindAtStart({ storage, store, deletionLock }, log)
  const hasDemoAccounts = await demoAccounts(store, answers ? storage : undefined, config, log)
  const keys = keysOf(config)
  const seals = hmacSeals(keys.auditSeals)
  if (!seals.sign) log.warn('the key file has no audit_seals: run npm run admin -- rotate-keys audit-seals')
  const upkeep = startUpkeep({ store, lookups, storage, deletionLock, clock, seals }, { ...config, log })
  opened.add(() => upkeep.stop())
  const deliveries = startDeliveries({ events: store.events, webhook, log })
  opened.add(() => deliveries.stop())

  const passwordParts = passwordPartsOf(config, log)
  opened.add(() => passwordParts.passwords.close())
  opened.add(() => passwordParts.passwordStrength.close())
  const { redisUrl, redisPrefix: prefix } = config
  const limits = await rateLimits({ redisUrl, prefix, log, clock, hashOf: keyedHash(keys.codes, 'keys of limits') })
  opened.add(() => limits.close())

  const departure = { isLeaving: false }
  const serverOptions = { ...config, log, departure }
  const server = createServer(serverOptions)
  opened.add(() => server.close())
  const testNumbers = testNumbersOf(config, hasDemoAccounts)
  const mail = mailOf(config, outbox)
  opened.add(() => mail.close())
  if (!mail.isOffered) log.warn('SMTP_URL is missing: nothing is sent by e-mail')
  const background = newBackground(log)
  opened.add(() => background.settle())
  const codes = hmacCodes(keys.codes, testNumbers)
  const context: Context = {
    store,
    lookups,
    ...passwordParts,
    limits,
    clock,
    recentProofSeconds: config.recentProofSeconds,
    nationalIdCheck: config.nationalIdCheck,
    phoneNumbers,
    deviceOf,
    mail,
    resetUrl: config.mail.resetUrl,
    resetTokens,
    emailUrl: config.mail.emailUrl,
    emailTokens: resetTokens,
    emailCodes: emailCodes(codes),
    background,
    log,
    files: profileFiles({ storage, readContent: contentReader(), background, log }),
    fileLinks: signedLinks(keys.links, clock),
    zipArchive,
    codes,
    tokens: await jwtTokens(server, { ...config.tokens, keys: keys.tokens, clock }),
    refreshTokens: hmacRefreshTokens(keys.refreshTokens),
    ...smsPartsOf(config.sms, { testNumbers, outbox, limits, log }),
    networkHash: keyedHash(keys.codes, 'networks of codes'),
  }
  const isOutboxInUse =
    mail === outbox.mail || webhook === outbox.webhook || config.sms.providers.some(({ kind }) => kind === 'log')
  const servedOutbox = isOutboxInUse ? outbox : undefined
  await serve(server, serverOptions, { operations, context, outbox: servedOutbox })
  const leave = (): void => {
    departure.isLeaving = true
    void deliveries.stop()
  }
  return { server, context, outbox: servedOutbox, hasDemoAccounts, departure, leave, close: opened.close }
}
