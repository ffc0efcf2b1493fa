// The reads that need no access token: the document states that they are not limited, and they are not.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { listRoutes, type Document } from '../../scripts/generate/document/openapi.ts'
import { readRateLimits } from '../../scripts/generate/rate-limits.ts'
import { LIMITS } from '../../generated/limits.ts'
import { giveFile, image } from '../support/files/files.ts'
import { openWorld } from '../support/service/world.ts'

const SENTENCE = /The number of (?:requests|downloads) is not limited\./
const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
const unlimited = listRoutes(document).filter(({ operation }) => SENTENCE.test(operation.description ?? ''))

/** More than any limit of a minute per network */
const { counters } = await readRateLimits(LIMITS)
const ofMinute = Object.values(counters).filter(
  (each) => 'counts' in each && each.counts === 'requests' && 'minutes' in each.window && each.window.minutes === 1,
)
const REQUESTS = 1 + Math.max(...ofMinute.map(({ limit }) => limit))
const AT_ONCE = 10

void t.test('each public read states whether it is limited', (t) => {
  const reads = listRoutes(document).filter(
    ({ method, operation }) => method === 'get' && operation.security?.every((each) => !('bearerAuth' in each)),
  )
  t.equal(reads.length, 14)
  for (const { operation } of reads) t.match(operation.description, SENTENCE, operation.operationId)
  t.equal(unlimited.length, 15, 'and downloads of files')
  t.end()
})

void t.test('one client can send more of them in a minute than any limit allows', async (t) => {
  const world = await openWorld()
  const { service, address } = world
  const person = await world.person()
  await giveFile(world, person.id, 'profile_photo', await image())
  const { body } = await world.send('getProfile')({ token: await person.token() })
  const link = (body.data as { user: { profile_photo: string } }).user.profile_photo
  const urls = unlimited.map(({ path }) =>
    path.includes('{file_id}') ? link : path.endsWith('/form') ? `${path}?account_type=client` : path,
  )
  for (const url of urls) {
    const requests = /countries|form|files/.test(url) ? REQUESTS : AT_ONCE // all share what could limit them
    const seen = new Set<string>()
    for (let sent = 0; sent < requests; sent += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, async () => {
        const response = await fetch(service.origin + url, { headers: { 'x-forwarded-for': address } })
        await response.arrayBuffer()
        seen.add(`${response.status} ${response.headers.get('ratelimit-policy') ?? 'unlimited'}`)
      })
      await Promise.all(batch)
    }
    t.same([...seen], ['200 unlimited'], url)
  }
})
