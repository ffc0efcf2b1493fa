// The process that is measured while it takes uploads: forms, images and the folder of files, as the service has them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBackground } from '../../src/adapters/background.ts'
import { createContentReader } from '../../src/adapters/files/contents.ts'
import { directoryStorage } from '../../src/adapters/files/directory.ts'
import { guardedStorage } from '../../src/adapters/files/guarded.ts'
import { profileFiles, type UploadsByKind } from '../../src/adapters/files/index.ts'
import { acceptForms } from '../../src/http/request/forms.ts'
import { createServer } from '../../src/http/server.ts'
import { openSpool } from '../../src/http/request/uploads.ts'
import { jsonLog } from '../../src/lib/log.ts'

export type ServerReport = { origin: string; rssMb: number; peakMb: number }

const POLL_MS = 5

const folder = mkdtempSync(join(tmpdir(), 'tawthiq-bench-'))
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
const log = jsonLog('error')
const storage = guardedStorage(directoryStorage(join(folder, 'files')))
const files = profileFiles({ storage, readContent: createContentReader(), background: createBackground(log), log })
const server = createServer({
  log,
  defaultLanguage: 'en',
  isProduction: true,
  corsOrigins: [],
  allowsLocalOrigins: false,
  trustedProxies: [],
  shutdown: { isShuttingDown: false, isOver: false },
  uploadsDirectory: join(folder, 'uploads'),
})
const photo = { type: 'string', format: 'binary' }
const schema = { type: 'object', additionalProperties: false, properties: { profile_photo: photo } }
let accounts = 0 // each upload is of another one
const spool = await openSpool(join(folder, 'uploads'))
await server.register(async (scope) => {
  await acceptForms(scope, spool)
  scope.route({
    method: 'POST',
    url: '/',
    schema: { body: { content: { 'multipart/form-data': { schema } } } },
    async handler({ body }) {
      const { ready, fieldErrors } = await files.read(body as UploadsByKind, ++accounts)
      await files.store(ready, async () => [])
      return { kept: ready.length, fieldErrors }
    },
  })
})
const origin = await server.listen({ host: '127.0.0.1', port: 0 })

let peakMb = 0
const rssMb = (): number => process.memoryUsage().rss / 1e6
setInterval(() => (peakMb = Math.max(peakMb, rssMb())), POLL_MS)
process.on('message', () => {
  const report: ServerReport = { origin, rssMb: rssMb(), peakMb }
  peakMb = 0
  process.send?.(report)
})
