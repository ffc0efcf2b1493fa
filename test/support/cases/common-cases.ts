// Contract cases that many operations share.
import { LIMITS } from '../../../generated/limits.ts'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { Context } from '../../../src/context.ts'
import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Case, Cases } from './contract.ts'
import { rawExchange } from '../servers/raw.ts'
import { checkResponse, type Sent } from '../service/sender.ts'
import type { Person, World } from '../service/world.ts'

type CommonCases = { 400: Cases; 500: Cases; 503: Cases }

/**
 * Returns the cases that every operation has.
 *
 * @param validRequest builds a request that would succeed
 * @param member the part of the context that the operation needs
 */
export function commonCases(
  id: OperationId,
  validRequest: (world: World) => Sent | Promise<Sent>,
  member: keyof Context,
): CommonCases {
  const noHost: Case = async (_send, { service }) => {
    const { method, path } = bindings[id]
    const received = await rawExchange(service.origin, `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    await checkResponse(id, received)
    return received
  }
  const internalError: Case = async (send, world, t) => {
    const sent = await validRequest(world)
    const { context } = world.service.app
    const working = context[member]
    const broken = new Proxy(
      {},
      {
        get: () => {
          throw new TypeError('planted')
        },
      },
    )
    Object.assign(context, { [member]: broken })
    const { log } = world.service
    const before = log.length
    try {
      const received = await send(sent)
      t.notMatch(JSON.stringify(received.body), /planted/, 'the response hides the error')
      t.match(log.slice(before).join(''), new RegExp(`${id}.*planted`), 'the log contains it')
      return received
    } finally {
      Object.assign(context, { [member]: working })
    }
  }
  const shuttingDown: Case = async (send, world, t) => {
    const sent = await validRequest(world)
    const { shutdown } = world.service.app
    shutdown.isOver = true
    try {
      const received = await send(sent)
      t.equal(received.headers['error-code'], 'shutting_down')
      return received
    } finally {
      shutdown.isOver = false
    }
  }
  return {
    400: { 'rejects a request without a Host header': noHost },
    500: { 'hides the details of an internal error and logs them': internalError },
    503: { 'rejects requests after the time for a shutdown': shuttingDown },
  }
}

/** Returns the cases of an operation with cacheable responses, for requests with a query. */
export function cacheCases(query: Sent['query'] = {}): { 304: Cases } {
  const unchanged: Case = async (send, _world, t) => {
    const { headers } = await send({ query })
    const { status } = await send({ query, headers: { 'if-none-match': '"another"' } })
    t.equal(status, 200, 'another entity tag gets the whole response')
    return send({ query, headers: { 'if-none-match': `"another", W/${headers['etag'] ?? ''}` } })
  }
  const inOtherLanguage: Case = async (send, _world, t) => {
    const { headers } = await send({ query, language: 'ar' })
    t.equal((await send({ query, language: 'en' })).headers['etag'] === headers['etag'], false)
    return send({ query, language: 'ar', headers: { 'if-none-match': headers['etag'] ?? '' } })
  }
  const noCache: Case = async (send) => {
    const { headers } = await send({ query })
    return send({ query, headers: { 'if-none-match': headers['etag'] ?? '', 'cache-control': 'no-cache' } })
  }
  return {
    304: {
      'matches the entity tag of an unchanged response': unchanged,
      'uses a different entity tag for each language': inOtherLanguage,
      'matches a known entity tag despite Cache-Control: no-cache': noCache,
    },
  }
}

/**
 * Returns the cases of an operation that takes a JSON body.
 *
 * @param validBody a body that would be accepted
 */
export function bodyCases(validBody: object): BodyCases {
  const optional = optionalBodyCases(validBody)
  const type = 'application/json'
  return {
    ...optional,
    400: {
      ...optional[400],
      'rejects an empty body with a JSON content type': (send) => send({ raw: '', type }),
    },
    415: { ...optional[415], 'rejects a request without a body': (send) => send() },
  }
}

type BodyCases = { 400: Cases; 413: Cases; 415: Cases }

/** Returns the cases of an operation whose JSON body can be left out. */
export function optionalBodyCases(validBody: object): BodyCases {
  const json = JSON.stringify(validBody)
  const type = 'application/json'
  const twice = `${json.slice(0, -1)},${json.slice(1)}`
  const unknown = Array.from({ length: LIMITS.body.json_members }, (_, index) => `"u${index}":1`).join()
  const deep = '{"a":'.repeat(30) + '1' + '}'.repeat(30)
  return {
    400: {
      'rejects truncated JSON': (send) => send({ raw: json.slice(0, -1), type }),
      'rejects duplicate JSON names': (send) => send({ raw: twice, type }),
      'rejects the JSON name __proto__': (send) => send({ raw: '{"__proto__":{"x":1}}', type }),
      'rejects JSON that is nested too deeply': (send) => send({ raw: deep, type }),
      'rejects bytes that are not UTF-8': (send) => send({ raw: Buffer.from('{"email":"\xff"}', 'latin1'), type }),
    },
    413: {
      'rejects a body over the size limit': (send) => send({ raw: `{"a":"${'x'.repeat(70_000)}"}`, type }),
      'rejects an object with too many members': (send) => send({ raw: `${json.slice(0, -1)},${unknown}}`, type }),
    },
    415: {
      'rejects plain text': (send) => send({ raw: json, type: 'text/plain' }),
      'rejects a charset other than UTF-8': (send) => send({ raw: json, type: 'application/json; charset=utf-16' }),
      'rejects a body with a content encoding': (send) =>
        send({ raw: json, type, headers: { 'content-encoding': 'gzip' } }),
    },
  }
}

/** Returns the case of a token that the service never sent. */
export function unknownTokenCases(json: object, event: string, code = 'email_token_wrong'): Cases {
  return {
    'rejects and records an unknown token': async (send, world, t) => {
      const received = await send({ json })
      t.same(received.body.data.codes, { token: [code] })
      const where = { address: world.address, event }
      t.equal(await world.service.database.prisma.auditEvent.count({ where }), 1)
      return received
    },
  }
}

/** Returns the case of too many tokens that the service never sent, from one address. */
export function wrongTokenLimitCases(json: object): Cases {
  return {
    'limits wrong tokens per client address': async (send) => {
      for (let batch = 0; batch < 30; batch++) await Promise.all(Array.from({ length: 20 }, () => send({ json })))
      return send({ json })
    },
  }
}

/** Counts all but one of the invalid tokens that an address may send. A test of checkToken sends as many. */
async function useUpRefusedTokens({ service, address }: World): Promise<void> {
  const { limits } = service.app.context
  for (let used = 1; used < RATE_LIMITS['refused-tokens'].points; used++)
    await limits.consume({ policy: RATE_LIMITS['refused-tokens'], key: address })
}

/**
 * Returns the cases of an operation that requires an access token.
 *
 * @param validRequest builds the other parts of a request of a person that would succeed
 */
export function tokenCases(validRequest: (world: World, person: Person) => Sent | Promise<Sent> = () => ({})): {
  401: Cases
  429: Cases
} {
  const forged = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'
  return {
    401: {
      'rejects a request without a token': async (send, _world, t) => {
        const received = await send()
        t.equal(received.headers['error-code'], 'token_missing')
        t.equal(received.headers['www-authenticate'], 'Bearer')
        return received
      },
      'rejects a forged token': async (send, _world, t) => {
        const received = await send({ token: forged })
        t.equal(received.headers['error-code'], 'token_invalid')
        return received
      },
      'rejects another authorization scheme': (send) => send({ headers: { authorization: 'Basic YTpi' } }),
      'rejects a token with a changed signature': async (send, world) => {
        const token = await (await world.person()).token()
        const [header, claims, signature = ''] = token.split('.')
        return send({
          token: [header, claims, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join('.'),
        })
      },
      'rejects an expired token': async (send, world, t) => {
        const token = await (await world.person()).token()
        world.wait(60 * 60_000)
        const received = await send({ token })
        t.equal(received.headers['error-code'], 'token_expired')
        return received
      },
      'rejects a token of an ended session': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        await world.service.database.prisma.session.updateMany({
          where: { accountId: person.id },
          data: { endedAt: new Date() },
        })
        const received = await send({ ...(await validRequest(world, person)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        return received
      },
      'rejects a token of a session that began before a reset of lost factors took effect': async (send, world, t) => {
        const person = await world.person()
        const { token, refresh } = await person.logIn()
        const { account, session } = world.service.database.prisma
        const [begunAt, resetAt] = [new Date(Date.now() - 120_000), new Date(Date.now() - 60_000)]
        await session.updateMany({ where: { accountId: person.id }, data: { createdAt: begunAt } })
        await account.update({ where: { id: person.id }, data: { factorsResetAt: resetAt } })
        const received = await send({ ...(await validRequest(world, person)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        t.equal((await world.send('refreshToken')({ json: { refresh_token: refresh } })).status, 401)
        return received
      },
      'rejects a token that names another account than its session': async (send, world, t) => {
        const [person, other] = [await world.person(), await world.person()]
        const { tokens } = world.service.app.context
        const token = tokens.issue({ ...tokens.read(await person.token()), accountId: other.id })
        const received = await send({ ...(await validRequest(world, other)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        return received
      },
      'rejects a token of a suspended account': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        await world.service.database.prisma.account.update({
          where: { id: person.id },
          data: { status: 'suspended' },
        })
        const received = await send({ ...(await validRequest(world, person)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        return received
      },
    },
    429: {
      'limits invalid tokens per client address, but not valid ones': async (send, world, t) => {
        await useUpRefusedTokens(world)
        const last = await send({ token: forged })
        t.equal(last.status, 401)
        const received = await send({ token: forged })
        const person = await world.person()
        const served = await send({ ...(await validRequest(world, person)), token: await person.token() })
        t.ok(served.status < 300, 'a valid token is still accepted')
        return received
      },
    },
  }
}

/**
 * Returns the cases of an operation that requires recent authentication.
 *
 * @param validRequest builds the other parts of a request of a person that would succeed
 */
export function staleSessionCases(validRequest: (world: World, person: Person) => Sent | Promise<Sent> = () => ({})): {
  403: Cases
} {
  const stale: Case = async (send, world, t) => {
    const person = await world.person()
    const sent = await validRequest(world, person)
    const token = await person.token()
    world.wait(2 * LIMITS.recent_authentication.seconds * 1000)
    const received = await send({ ...sent, token })
    t.match(received.headers, {
      'error-code': 'reauthentication_required',
      'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="900"',
    })
    return received
  }
  return { 403: { 'rejects a session without recent authentication': stale } }
}

/** Returns the same cases with the access token of a new user in each request. */
export function withToken(cases: Cases, about: { isAdmin: boolean } = { isAdmin: false }): Cases {
  const asUser =
    (run: Case): Case =>
    async (send, world, t) => {
      const token = await (await world.person(about)).token()
      return run((sent) => send({ token, ...sent }), world, t)
    }
  return Object.fromEntries(Object.entries(cases).map(([title, run]) => [title, asUser(run)]))
}
