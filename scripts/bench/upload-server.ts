// The process that is measured while it takes uploads: forms, images and the folder of files, as the service has them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { background } from '../../src/adapters/background.ts'
import { contentReader } from '../../src/adapters/files/contents.ts'
import { directoryStorage } from '../../src/adapters/files/directory.ts'
import { guardedStorage } from '../../src/adapters/files/guarded.ts'
import { profileFiles, type UploadsByKind } from '../../src/adapters/files/index.ts'
import { takeForms } from '../../src/http/forms.ts'
import { createServer } from '../../src/http/server.ts'
import { openSpool } from '../../src/http/uploads.ts'
import { jsonLog } from '../../src/log.ts'

export type Told = { origin: string; rssMb: number; peakMb: number }

const LOOK_AGAIN_MS = 5

const folder = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
const log = jsonLog('error')
const storage = guardedStorage(directoryStorage(join(folder, 'files')))
const files = profileFiles({ storage, readContent: contentReader(), background: background(log), log })
const server = createServer({
  log,
  defaultLanguage: 'en',
  isProduction: true,
  corsOrigins: [],
  allowsLocalOrigins: false,
  trustedProxies: [],
  departure: { isLeaving: false },
  uploadsFolder: join(folder, 'uploads'),
})
const photo = { type: 'string', format: 'binary' }
const schema = { type: 'object', additionalProperties: false, properties: { profile_photo: photo } }
let accounts = 0 // each upload is of another one
const spool = await openSpool(join(folder, 'uploads'))
await server.register(async (scope) => {
  await takeForms(scope, spool)
  scope.route({
    method: 'POST',
    url: '/',
    schema: { body: { content: { 'multipart/form-data': { schema } } } },
    async handler({ body }) {
      const { ready, wrong } = await files.read(body as UploadsByKind, ++accounts)
      await files.keep(ready, async () => [])
      return { kept: ready.length, wrong }
    },
  })
})
const origin = await server.listen({ host: '127.0.0.1', port: 0 })

let peakMb = 0
const rssMb = (): number => process.memoryUsage().rss / 1e6
setInterval(() => (peakMb = Math.max(peakMb, rssMb())), LOOK_AGAIN_MS)
process.on('message', () => {
  const told: Told = { origin, rssMb: rssMb(), peakMb }
  peakMb = 0
  process.send?.(told)
})
