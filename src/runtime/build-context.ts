import type { FastifyInstance } from 'fastify'
import { describeDevice } from '../adapters/devices.ts'
import { createContentReader } from '../adapters/files/contents.ts'
import { profileFiles } from '../adapters/files/index.ts'
import { signedLinks } from '../adapters/files/links.ts'
import type { FileStorage } from '../adapters/files/storage.ts'
import type { Keys } from '../adapters/keys/index.ts'
import { keyedHash } from '../adapters/keys/keyed-hash.ts'
import type { Outbox } from '../adapters/outbox.ts'
import { administratorReads } from '../adapters/queues/administrator-reads.ts'
import { phoneNumbers } from '../adapters/sms/phone-numbers.ts'
import { jwtTokens } from '../adapters/tokens/access-tokens.ts'
import { emailCodes } from '../adapters/tokens/email-codes.ts'
import { hmacCodes } from '../adapters/tokens/otp-codes.ts'
import { hmacRefreshTokens } from '../adapters/tokens/refresh-tokens.ts'
import { resetTokens } from '../adapters/tokens/reset-tokens.ts'
import { zipArchive } from '../adapters/zip.ts'
import type { Config } from '../config/index.ts'
import type { Context } from '../context.ts'
import { buildSms, chooseTestNumbers, type PasswordServices } from './factories.ts'

/** The parts that are already open */
export type OpenParts = Pick<Context, 'store' | 'lookups' | 'limits' | 'clock' | 'mail' | 'background' | 'log'> &
  PasswordServices & {
    keys: Keys
    storage: FileStorage
    outbox: Outbox
    hasDemoAccounts: boolean
    /** Signs and verifies access tokens */
    server: FastifyInstance
  }

/** Builds the dependencies of all operations. */
export async function buildContext(config: Config, parts: OpenParts): Promise<Context> {
  const { keys, storage, outbox, hasDemoAccounts, server, ...shared } = parts
  const { clock, limits, background, log } = shared
  const testNumbers = chooseTestNumbers(config, hasDemoAccounts)
  const codes = hmacCodes(keys.codes, testNumbers)
  return {
    ...shared,
    administratorReads: administratorReads(config.databaseUrl === undefined ? 1 : config.databaseConnections),
    recentProofSeconds: config.recentProofSeconds,
    nationalIdCheck: config.nationalIdCheck,
    phoneNumbers,
    describeDevice,
    resetUrl: config.mail.resetUrl,
    resetTokens,
    emailUrl: config.mail.emailUrl,
    emailTokens: resetTokens,
    emailCodes: emailCodes(codes),
    files: profileFiles({ storage, readContent: createContentReader(), background, log }),
    fileLinks: signedLinks(keys.links, clock),
    zipArchive,
    codes,
    tokens: await jwtTokens(server, { ...config.tokens, keys: keys.tokens, clock }),
    refreshTokens: hmacRefreshTokens(keys.refreshTokens),
    ...(await buildSms(config.sms, { testNumbers, outbox, limits, log })),
    networkHash: keyedHash(keys.codes, 'networks of codes'),
  }
}
