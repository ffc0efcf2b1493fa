import { measureUse, type Sample } from './figures.ts'
import { benchPhoto } from './images.ts'
import type { MeasuredServer } from './measured.ts'
import * as requests from './requests.ts'

const CONCURRENT = 16
const REQUESTS = Number(process.env['BENCH_WRITES'] ?? 300)
/** V8 optimizes the code of a write after about a thousand requests, which reads reach in a second. */
const WARM_UP_ROUNDS = 5

export type Write = {
  name: string
  hasFiles?: boolean
  /** Returns a request that no other one equals */
  prepare(origin: string, measured: MeasuredServer): Promise<requests.Request>
}

/** Returns the writes that are measured. */
export async function writes(): Promise<Write[]> {
  const photo = new Blob([await benchPhoto()], { type: 'image/jpeg' })
  const files = { national_id_image: photo, degree_certificate: photo }
  return [
    { name: 'login', prepare: async (origin) => requests.login(await requests.newAccount(origin)) },
    { name: 'register', prepare: async () => requests.registration() },
    { name: 'refreshToken', prepare: async (origin) => requests.refresh(await requests.newAccount(origin)) },
    { name: 'checkPhone', prepare: async () => requests.checkPhone(requests.newPhone()) },
    { name: 'confirmPhone', prepare: requests.confirmation },
    {
      name: 'updateProfile, client',
      prepare: async (origin) => requests.update(await requests.newProfile(origin, 'client'), 'client'),
    },
    {
      name: 'updateProfile, lawyer',
      hasFiles: true, // to be prepared
      prepare: async (origin) => requests.update(await requests.newProfile(origin, 'lawyer', files), 'lawyer'),
    },
    {
      name: 'updateProfile, lawyer with 1 MB',
      hasFiles: true,
      prepare: async (origin) =>
        requests.update(await requests.newProfile(origin, 'lawyer', files), 'lawyer', { profile_photo: photo }),
    },
  ]
}

/** Prepares new requests and sends them, a few at a time. */
export async function measureWrite(measured: MeasuredServer, { name, prepare }: Write): Promise<Sample> {
  const { service } = await measured.request({ act: 'origins' })
  const prepared: requests.Request[] = []
  await concurrently(REQUESTS, async () => void prepared.push(await prepare(service, measured)))
  return measureUse(measured, async () => {
    await concurrently(REQUESTS, async (at) => {
      const request = prepared[at]
      if (!request) throw new Error('too few requests')
      const { status, data } = await requests.send(service, request)
      if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(data)}`)
    })
    return REQUESTS
  })
}

/** Sends requests until the service has reached its speed. Those with files take long, and share their code with the others. */
export async function warmUpWrite(measured: MeasuredServer, write: Write): Promise<void> {
  for (let round = 0; round < (write.hasFiles === true ? 1 : WARM_UP_ROUNDS); round++)
    await measureWrite(measured, write)
}

/** Runs a function a number of times, a few at once. */
async function concurrently(times: number, run: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < times; at = next++) await run(at)
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
}
