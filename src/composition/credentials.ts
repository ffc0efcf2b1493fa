import fastify, { type FastifyInstance } from 'fastify'
import type { Keys } from '../adapters/keys/index.ts'
import type { KeyRing } from '../adapters/keys/key-ring.ts'
import { passkeys } from '../adapters/passkeys/index.ts'
import { jwtTokens, type Tokens } from '../adapters/tokens/access-tokens.ts'
import { enrollmentCodes, recoveryCodes } from '../adapters/tokens/factor-codes.ts'
import { emailCodes, hmacCodes } from '../adapters/tokens/otp-codes.ts'
import { hmacRefreshTokens, resetTokens } from '../adapters/tokens/refresh-tokens.ts'
import { totp } from '../adapters/tokens/totp.ts'
import { usedTokens } from '../adapters/tokens/used-tokens.ts'
import { undoCodes } from '../adapters/tokens/undo-codes.ts'
import type { Config } from '../config/index.ts'
import type { Essentials, FactorParts, TokenParts } from '../context.ts'
import type { Clock } from '../domain/clock.ts'

type Dependencies = Pick<Essentials, 'background' | 'store'> & {
  keys: KeyRing
  clock: Clock
  /** Signs and verifies access tokens */
  server: FastifyInstance
  /** Codes of test numbers */
  testNumbers: ReadonlyMap<string, string>
}

export async function buildTokens(
  config: Config,
  { keys, clock, server, testNumbers, background, store }: Dependencies,
): Promise<TokenParts> {
  const codes = await keys.use((current) => hmacCodes(current.codes, testNumbers))
  return {
    tokens: await keys.use(tokensOn(server, { ...config.tokens, clock })),
    recordUse: usedTokens(background, (used) => store.sessions.recordUse(used)),
    refreshTokens: await keys.use((current) => hmacRefreshTokens(current.refreshTokens)),
    resetTokens,
    emailTokens: resetTokens,
    codes,
    emailCodes: emailCodes(codes),
    undoCodes: await keys.use((current) => undoCodes(current.codes)),
  }
}

export async function buildFactors(
  { passkeys: relyingParty }: Config,
  { keys, clock }: Pick<Dependencies, 'keys' | 'clock'>,
): Promise<FactorParts> {
  return {
    totp: await keys.use(({ factors }) => totp(factors)),
    recoveryCodes,
    passkeys: relyingParty && (await keys.use(({ codes }) => passkeys(codes, { relyingParty, clock }))),
    enrollmentCodes,
  }
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
