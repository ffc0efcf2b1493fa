// Contract cases of operations that compare the version of a profile with If-Match.
import type { Cases } from './contract.ts'
import type { Sent } from '../service/sender.ts'
import type { Person, World } from '../service/world.ts'

/**
 * Returns the cases of an operation that changes a profile.
 *
 * @param change builds a request that sets the longitude of a client
 */
export function versionCases(change: (person: Person, longitude: number) => Sent): { 200: Cases; 412: Cases } {
  return {
    200: {
      'accepts the current version, in a list, in another language and as any version': async (send, world, t) => {
        const { person, token, etag } = await readProfile(world)
        for (const [at, ifMatch] of [(tag: string) => tag, (tag: string) => `"x", ${tag}`, () => '*'].entries()) {
          const current = at === 0 ? etag : await etagOf(world, token, 'ar')
          const { status } = await send({ ...change(person, at), token, headers: { 'if-match': ifMatch(current) } })
          t.equal(status, 200, ifMatch('the tag'))
        }
        const received = await send({ ...change(person, 9), token })
        const { headers } = await world.send('getProfile')({ token })
        t.equal(received.headers['etag'], headers['etag'], 'the response has the tag of the new version')
        return received
      },
    },
    412: {
      'rejects a version that was changed elsewhere': async (send, world, t) => {
        const { person, token, etag } = await readProfile(world)
        await send({ ...change(person, 1), token: await person.token() })
        const received = await send({ ...change(person, 2), token, headers: { 'if-match': etag } })
        t.equal(received.headers['error-code'], 'outdated')
        const { body } = await world.send('getProfile')({ token })
        t.equal(body.data.user.longitude, 1, 'nothing is stored')
        return received
      },
      'rejects weak, malformed and foreign tags': async (send, world, t) => {
        const { person, token, etag } = await readProfile(world)
        const foreign = (await readProfile(world)).etag
        const tags = [`W/${etag}`, etag.slice(1, -1), foreign, '"another"', '', '"*"']
        const statuses = []
        for (const tag of tags)
          statuses.push((await send({ ...change(person, 2), token, headers: { 'if-match': tag } })).status)
        t.same(new Set(statuses), new Set([412]))
        return send({ ...change(person, 2), token, headers: { 'if-match': tags.join(', ') } })
      },
    },
  }
}

async function readProfile(world: World): Promise<{ person: Person; token: string; etag: string }> {
  const person = await world.person()
  const token = await person.token()
  return { person, token, etag: await etagOf(world, token) }
}

export async function etagOf(world: World, token: string, language = 'en'): Promise<string> {
  return (await world.send('getProfile')({ token, language })).headers['etag'] ?? ''
}
