import fastify, { type FastifyInstance } from 'fastify'
import { describeDevice } from '../adapters/devices.ts'
import { createContentReader } from '../adapters/files/contents.ts'
import { profileFiles } from '../adapters/files/index.ts'
import { signedLinks } from '../adapters/files/links.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import type { Keys } from '../adapters/keys/index.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { idempotencySecrets } from '../adapters/keys/idempotency-secrets.ts'
import { keyedHash, type KeyedHash } from '../adapters/keys/keyed-hash.ts'
import { aesSeal } from '../adapters/keys/seal.ts'
import { aesMailSeal, recipientHash } from '../adapters/mail/seal.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { passkeys } from '../adapters/passkeys/index.ts'
import { administratorReads } from '../adapters/queues/administrator-reads.ts'
import { keyPresses } from '../adapters/sms/key-presses.ts'
import { phoneNumbers } from '../adapters/sms/phone-numbers.ts'
import { jwtTokens, type Tokens } from '../adapters/tokens/access-tokens.ts'
import { enrollmentCodes } from '../adapters/tokens/enrollment-codes.ts'
import { emailCodes, hmacCodes } from '../adapters/tokens/otp-codes.ts'
import { recoveryCodes } from '../adapters/tokens/recovery-codes.ts'
import { hmacRefreshTokens, resetTokens } from '../adapters/tokens/refresh-tokens.ts'
import { totp } from '../adapters/tokens/totp.ts'
import { zipArchive } from '../adapters/zip.ts'
import type { Config } from '../config/index.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../domain/clock.ts'
import type { Observers } from '../lib/observers.ts'
import type { PasswordServices } from './factories.ts'
import type { SmsConversion } from './sms/conversion/index.ts'
import { buildChallenge, buildSms, chooseTestNumbers } from './sms/services.ts'
import { buildReceiptReaders } from './sms/providers.ts'

/** The parts that are already open */
export type OpenParts = Pick<Context, 'store' | 'lookups' | 'limits' | 'clock' | 'mail' | 'background' | 'log'> &
  PasswordServices & {
    keys: KeyRing
    storage: FileStorage
    outbox: Outbox
    hasDemoAccounts: boolean
    /** Signs and verifies access tokens */
    server: FastifyInstance
    observers: Observers
    conversion: SmsConversion
  }

/** Builds the dependencies of all operations. */
export async function buildContext(config: Config, parts: OpenParts): Promise<Context> {
  const { keys, storage, outbox, hasDemoAccounts, server, observers, conversion, ...shared } = parts
  const { metrics } = observers
  const { clock, limits, background, log } = shared
  const testNumbers = chooseTestNumbers(config, hasDemoAccounts)
  const codes = await keys.use((current) => hmacCodes(current.codes, testNumbers))
  const hashes = await keys.use((current) => ({
    networks: keyedHash(current.codes, 'networks of codes'),
    recipients: recipientHash(current.codes),
  }))
  const networkHash: KeyedHash = (text) => hashes.networks(text)
  const presses = await keys.use((current) => keyPresses(aesSeal(current.codes, 'tawthiq calls, version 1'), clock))
  return {
    ...shared,
    administratorReads: administratorReads(metrics),
    recentProofSeconds: config.recentProofSeconds,
    administratorsNeedFactor: config.administratorsNeedFactor,
    nationalIdCheck: config.nationalIdCheck,
    phoneNumbers,
    describeDevice,
    mailSeal: await keys.use((current) => aesMailSeal(current.codes)),
    deliverMails: () => Promise.resolve(),
    resetUrl: config.mail.resetUrl,
    resetTokens,
    emailUrl: config.mail.emailUrl,
    factorResetUrl: config.mail.factorResetUrl,
    emailTokens: resetTokens,
    emailCodes: emailCodes(codes),
    totp: await keys.use((current) => totp(current.factors)),
    recoveryCodes,
    passkeys: await buildPasskeys(config, keys, clock),
    enrollmentCodes,
    files: profileFiles({ storage, readContent: createContentReader(metrics), background, log }),
    fileLinks: await keys.use((current) => signedLinks(current.links, clock)),
    zipArchive,
    codes,
    tokens: await keys.use(tokensOn(server, { ...config.tokens, clock })),
    refreshTokens: await keys.use((current) => hmacRefreshTokens(current.refreshTokens)),
    idempotencySecrets: await keys.use((current) => idempotencySecrets(current.codes)),
    ...(await buildSms(config.sms, {
      ...{ testNumbers, outbox, limits, log, clock, observers, conversion, networkHash, keyPresses: presses },
    })),
    keyPresses: presses,
    challenge: await buildChallenge(config, { log, clock, metrics }),
    smsReceipts: await buildReceiptReaders(config.sms, { clock, log }),
    evaluateSmsProviders: conversion.judge,
    networkHash,
    recipientHash: (text) => hashes.recipients(text),
  }
}

async function buildPasskeys(
  { passkeys: relyingParty }: Config,
  keys: KeyRing,
  clock: Clock,
): Promise<Context['passkeys']> {
  return relyingParty && keys.use((current) => passkeys(current.codes, { relyingParty, clock }))
}

type TokenOptions = Omit<Parameters<typeof jwtTokens>[1], 'keys'>

/** Returns a function that builds the tokens on a server. A running one accepts no further keys, so others have their own. */
function tokensOn(server: FastifyInstance, options: TokenOptions): (keys: Keys) => Promise<Tokens> {
  let isFirst = true
  return ({ tokens: keys }) => {
    const host = isFirst ? server : fastify()
    isFirst = false
    return jwtTokens(host, { ...options, keys })
  }
}
