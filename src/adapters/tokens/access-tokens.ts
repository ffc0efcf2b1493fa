import fastifyJwt, { type FastifyJWTOptions, type JWT } from '@fastify/jwt'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { randomUUID } from 'node:crypto'
import type { Bearer } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/clock.ts'
import { Failure } from '../../domain/failure.ts'
import type { TokenKey } from '../keys/index.ts'

/** Access tokens: JWTs as in RFC 9068, signed with EdDSA or ES256, without personal data or roles. */
export type Tokens = {
  /** @param seconds the lifetime, if it is shorter than `lifeSeconds` because the session ends earlier */
  issue(bearer: Bearer, seconds?: number): string
  /**
   * Verifies signature, issuer, audience and time. The store decides whether the session is active.
   *
   * @throws Failure 401 `token_invalid` or `token_expired`
   */
  read(token: string): Bearer
  lifeSeconds: number
  /** The public keys, starting with the signing one (RFC 7517). */
  jwks: { keys: TokenKey['jwk'][] }
}

type Options = { keys: [TokenKey, ...TokenKey[]]; issuer: string; audience: string; lifeSeconds: number; clock: Clock }

const CACHED_TOKENS_MAX = 10_000
const TYPE = 'at+jwt'
/** How far the clock of the issuing instance may be ahead */
const CLOCK_SKEW_SECONDS_MAX = 30

const Claims = Type.Object({
  iss: Type.String(),
  aud: Type.String(),
  sub: Type.String({ pattern: '^[1-9][0-9]{0,9}$' }),
  sid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  gen: Type.Optional(Type.Integer({ minimum: 1 })),
  jti: Type.String({ minLength: 1 }),
  iat: Type.Integer(),
  exp: Type.Integer(),
})
type AccessClaims = Static<typeof Claims>
const claimsCheck = TypeCompiler.Compile(Claims)

/** Registers @fastify/jwt on the server, once for each key. */
export async function jwtTokens(server: FastifyInstance, options: Options): Promise<Tokens> {
  const { keys, issuer, audience, lifeSeconds, clock } = options
  for (const key of keys) await server.register(fastifyJwt, pluginOptions(key, options))
  const namespace = (kid: string): JWT => Reflect.get(server.jwt, kid) as JWT // the plugin adds it
  // The header of a token is constant for each key and has its algorithm, so it identifies the key. A token with any other header (another
  // algorithm or type, a `jku`, an unknown `crit`) is invalid.
  const encodeHeader = ({ kid, jwk: { alg } }: TokenKey): string =>
    Buffer.from(JSON.stringify({ alg, typ: TYPE, kid })).toString('base64url')
  const byHeader = new Map(keys.map((key) => [encodeHeader(key), namespace(key.kid)]))
  const signing = namespace(keys[0].kid)
  // Keyed by the whole token: the library's own cache hashes it, which takes longer than everything else.
  const verified = new LRUCache<string, AccessClaims>({
    max: CACHED_TOKENS_MAX,
    memoMethod: (token) => verify(byHeader.get(token.slice(0, token.indexOf('.'))), token),
  })

  return {
    lifeSeconds,
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    issue({ accountId, sessionId, generation: gen }, seconds = lifeSeconds) {
      const iat = Math.floor(clock.nowMs() / 1000)
      const claims = { iss: issuer, aud: audience, sub: String(accountId), sid: sessionId, gen, jti: randomUUID(), iat }
      return signing.sign({ ...claims, exp: iat + seconds })
    },
    read(token) {
      const claims = verified.memo(token)
      const nowSeconds = clock.nowMs() / 1000
      if (claims.iat > nowSeconds + CLOCK_SKEW_SECONDS_MAX) throw new Failure('token_invalid')
      if (claims.exp <= nowSeconds) throw new Failure('token_expired')
      const bearer = { accountId: Number(claims.sub), sessionId: claims.sid }
      return claims.gen === undefined ? bearer : { ...bearer, generation: claims.gen }
    },
  }
}

function pluginOptions(
  { kid, privateKey, publicKey, jwk: { alg } }: TokenKey,
  { issuer, audience }: Options,
): FastifyJWTOptions {
  return {
    namespace: kid,
    secret: {
      private: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      public: publicKey.export({ type: 'spki', format: 'pem' }),
    },
    sign: { algorithm: alg, kid, header: { alg, typ: TYPE } },
    verify: {
      algorithms: [alg],
      checkTyp: TYPE,
      allowedIss: issuer,
      allowedAud: audience,
      ignoreExpiration: true, // checked with the service's clock, on every request
    },
  }
}

function verify(verifier: JWT | undefined, token: string): AccessClaims {
  if (!verifier) throw new Failure('token_invalid')
  try {
    const claims: unknown = verifier.verify(token)
    if (claimsCheck.Check(claims)) return claims
  } catch (error) {
    throw new Failure('token_invalid', { cause: error })
  }
  throw new Failure('token_invalid')
}
