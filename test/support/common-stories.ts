// What can happen to any operation.
import { LIMITS } from '../../generated/limits.ts'
import { bindings } from '../../generated/operations.ts'
import type { OperationId } from '../../src/contract.ts'
import type { Context } from '../../src/context.ts'
import type { Story, Told } from './contract.ts'
import { rawExchange } from './raw.ts'
import { judge, type Sent } from './sender.ts'
import type { Person, World } from './world.ts'

type Common = { 400: Told; 500: Told; 503: Told }

/**
 * @param good a request that would succeed
 * @param member the part of the context that the operation cannot do without
 */
export function commonStories(
  id: OperationId,
  good: (world: World) => Sent | Promise<Sent>,
  member: keyof Context,
): Common {
  const noHost: Story = async (_send, { service }) => {
    const { method, path } = bindings[id]
    const received = await rawExchange(service.origin, `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`)
    await judge(id, received)
    return received
  }
  const bug: Story = async (send, world, t) => {
    const sent = await good(world)
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
      t.notMatch(JSON.stringify(received.body), /planted/, 'the answer does not tell')
      t.match(log.slice(before).join(''), new RegExp(`${id}.*planted`), 'the log does')
      return received
    } finally {
      Object.assign(context, { [member]: working })
    }
  }
  const leaving: Story = async (send, world, t) => {
    const sent = await good(world)
    const { departure } = world.service.app
    departure.isLeaving = true
    try {
      const received = await send(sent)
      t.equal(received.headers['error-code'], 'shutting_down')
      return received
    } finally {
      departure.isLeaving = false
    }
  }
  return {
    400: { 'a request without Host': noHost },
    500: { 'a bug in the service': bug },
    503: { 'a service that is leaving': leaving },
  }
}

/** What can happen to any operation whose answer may be stored. */
export function cacheStories(): { 304: Told } {
  const again: Story = async (send, _world, t) => {
    const { headers } = await send()
    const { status } = await send({ headers: { 'if-none-match': '"another"' } })
    t.equal(status, 200, 'what changed comes whole')
    return send({ headers: { 'if-none-match': `"another", W/${headers['etag'] ?? ''}` } })
  }
  const inTheOtherLanguage: Story = async (send, _world, t) => {
    const { headers } = await send({ language: 'ar' })
    t.equal((await send({ language: 'en' })).headers['etag'] === headers['etag'], false)
    return send({ language: 'ar', headers: { 'if-none-match': headers['etag'] ?? '' } })
  }
  const withoutCaches: Story = async (send) => {
    const { headers } = await send()
    return send({ headers: { 'if-none-match': headers['etag'] ?? '', 'cache-control': 'no-cache' } })
  }
  return {
    304: {
      'the same answer again': again,
      'the answer in another language': inTheOtherLanguage,
      'a known response, with Cache-Control: no-cache': withoutCaches,
    },
  }
}

/** What can happen to any operation that takes a body. */
export function bodyStories(good: object): { 400: Told; 413: Told; 415: Told } {
  const json = JSON.stringify(good)
  const type = 'application/json'
  const twice = `${json.slice(0, -1)},${json.slice(1)}`
  const deep = '{"a":'.repeat(30) + '1' + '}'.repeat(30)
  return {
    400: {
      'JSON that ends too early': (send) => send({ raw: json.slice(0, -1), type }),
      'no JSON at all, of its media type': (send) => send({ raw: '', type }),
      'a name that stands twice': (send) => send({ raw: twice, type }),
      'a name that reaches for the prototype': (send) => send({ raw: '{"__proto__":{"x":1}}', type }),
      'JSON that is nested too deeply': (send) => send({ raw: deep, type }),
      'bytes that are not UTF-8': (send) => send({ raw: Buffer.from('{"email":"\xff"}', 'latin1'), type }),
    },
    413: {
      'a body over the limit': (send) => send({ raw: `{"a":"${'x'.repeat(70_000)}"}`, type }),
    },
    415: {
      text: (send) => send({ raw: json, type: 'text/plain' }),
      'no body': (send) => send(),
      'a charset that is not UTF-8': (send) => send({ raw: json, type: 'application/json; charset=utf-16' }),
      'an encoded body': (send) => send({ raw: json, type, headers: { 'content-encoding': 'gzip' } }),
    },
  }
}

/** A token of an e-mail that the service never sent: it is rejected and recorded. */
export function unknownTokenStory(json: object, event: string): Told {
  return {
    'a token that was never sent, on the record': async (send, world, t) => {
      const received = await send({ json })
      t.same(received.body.data.codes, { token: ['email_token_wrong'] })
      const where = { address: world.address, event }
      t.equal(await world.service.database.prisma.auditEvent.count({ where }), 1)
      return received
    },
  }
}

/**
 * What can happen to any operation that wants a token.
 *
 * @param good what else a request of this person has that would succeed
 */
export function tokenStories(good: (world: World, person: Person) => Sent | Promise<Sent> = () => ({})): {
  401: Told
  429: Told
} {
  const forged = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'
  return {
    401: {
      'no token': async (send, _world, t) => {
        const received = await send()
        t.equal(received.headers['error-code'], 'token_missing')
        t.equal(received.headers['www-authenticate'], 'Bearer')
        return received
      },
      'a forged token': async (send, _world, t) => {
        const received = await send({ token: forged })
        t.equal(received.headers['error-code'], 'token_invalid')
        return received
      },
      'a token of another kind of header': (send) => send({ headers: { authorization: 'Basic YTpi' } }),
      'a token whose signature was changed': async (send, world) => {
        const token = await (await world.person()).token()
        const [header, claims, signature = ''] = token.split('.')
        return send({
          token: [header, claims, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join('.'),
        })
      },
      'a token that is out of date': async (send, world, t) => {
        const token = await (await world.person()).token()
        world.wait(60 * 60_000)
        const received = await send({ token })
        t.equal(received.headers['error-code'], 'token_expired')
        return received
      },
      'a token whose session has ended': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        await world.service.database.prisma.session.updateMany({
          where: { accountId: person.id },
          data: { endedAt: new Date() },
        })
        const received = await send({ ...(await good(world, person)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        return received
      },
      'a token of an account that was suspended': async (send, world, t) => {
        const person = await world.person()
        const token = await person.token()
        await world.service.database.prisma.account.update({
          where: { id: person.id },
          data: { status: 'suspended' },
        })
        const received = await send({ ...(await good(world, person)), token })
        t.equal(received.headers['error-code'], 'token_revoked')
        return received
      },
    },
    429: {
      'too many refused tokens from one address': async (send, world, t) => {
        for (let batch = 0; batch < 30; batch++)
          await Promise.all(Array.from({ length: 20 }, () => send({ token: forged })))
        const received = await send({ token: forged })
        const person = await world.person()
        const served = await send({ ...(await good(world, person)), token: await person.token() })
        t.equal(served.status, 200, 'a good token is served all the same')
        return received
      },
    },
  }
}

/**
 * What can happen to any operation that requires recent authentication.
 *
 * @param good what else a request of this person has that would succeed
 */
export function staleStories(good: (world: World, person: Person) => Sent | Promise<Sent> = () => ({})): { 403: Told } {
  const stale: Story = async (send, world, t) => {
    const person = await world.person()
    const sent = await good(world, person)
    const token = await person.token()
    world.wait(2 * LIMITS.recent_authentication.seconds * 1000)
    const received = await send({ ...sent, token })
    t.match(received.headers, {
      'error-code': 'reauthentication_required',
      'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="900"',
    })
    return received
  }
  return { 403: { 'a session whose password was proven too long ago': stale } }
}

/** The same stories, each request with the token of somebody new, who may be an administrator. */
export function withToken(told: Told, about: { isAdmin: boolean } = { isAdmin: false }): Told {
  const asSomebody =
    (story: Story): Story =>
    async (send, world, t) => {
      const token = await (await world.person(about)).token()
      return story((sent) => send({ token, ...sent }), world, t)
    }
  return Object.fromEntries(Object.entries(told).map(([title, story]) => [title, asSomebody(story)]))
}
