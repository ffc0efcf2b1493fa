// Requests that are rejected before their large body has arrived: common clients receive the response.
import t from 'tap'
import { fileOf, uploadClients, type Upload } from '../../support/files/upload-clients.ts'
import { raceRounds } from '../../support/timing/races.ts'
import { openWorld } from '../../support/service/world.ts'

const HOUR_MS = 3_600_000
const file = fileOf(5 * 1024 * 1024)

const world = await openWorld()
const token = await (await world.person()).token()
world.wait(2 * HOUR_MS)

const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const JSON_TYPE = { 'content-type': 'application/json' }

type Refusal = Omit<Upload, 'url' | 'file'> & { path: string }

const refusals: Record<string, Refusal> = {
  '401 token_expired': {
    method: 'PUT',
    path: '/api/v1/profile',
    headers: { ...FORM, authorization: `Bearer ${token}` },
    times: raceRounds(20),
  },
  '404 route_unknown': { method: 'POST', path: '/api/v1/nothing', headers: FORM, times: 3 },
  '405 method_not_allowed': { method: 'POST', path: '/api/v1/profile', headers: FORM, times: 3 },
  '413 body_too_large': { method: 'POST', path: '/api/v1/auth/login', headers: JSON_TYPE, times: 3 },
  '415 media_type_unsupported': { method: 'POST', path: '/api/v1/auth/login', headers: FORM, times: 3 },
}

const uploads = Object.values(refusals).map(({ path, ...sent }) => ({
  ...sent,
  url: world.service.origin + path,
  file,
}))

for (const [name, send] of Object.entries(uploadClients())) {
  void t.test(`${name} receives rejections while it sends 5 MB`, async (t) => {
    const results = await send(uploads)
    for (const [at, [expected, { times }]] of Object.entries(refusals).entries()) {
      t.same(results[at], Array<string>(times).fill(expected), expected)
    }
  })
}
