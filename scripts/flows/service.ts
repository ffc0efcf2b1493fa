// A development service on an embedded database, whose events are delivered.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/adapters/clock.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/index.ts'
import { jsonLog } from '../../src/lib/log.ts'

const SECRET = `whsec_${Buffer.alloc(32, 'flows').toString('base64')}`

export async function openService(): Promise<{ origin: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tawthiq-flows-'))
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const config = readConfig({
    DATA_DIR: folder,
    EVENTS_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    EVENTS_WEBHOOK_SECRETS: SECRET,
  })
  const app = await openApp(config, { log: jsonLog('error'), clock: systemClock })
  return {
    origin: await app.server.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      await app.close()
      receiver.closeAllConnections()
      receiver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
