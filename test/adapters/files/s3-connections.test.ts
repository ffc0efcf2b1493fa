// Responses of S3-compatible servers that are, or are no longer, the wrong one: the next request uses another connection.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import t, { type Test } from 'tap'
import { s3Storage } from '../../../src/adapters/files/s3.ts'
import type { FileStorage } from '../../../src/adapters/files/storage.ts'

type Opened = { storage: FileStorage; connections: () => number }

/** Starts a server that responds with an error on its first connection, and accepts requests on others. */
async function openServer(t: Test, status: number, code: string): Promise<Opened> {
  const sockets: Socket[] = []
  const server = createServer(({ socket }, response) => {
    if (!sockets.includes(socket)) sockets.push(socket)
    if (socket !== sockets[0]) return response.writeHead(204).end()
    const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
    return response.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const storage = s3Storage({
    ...{ bucket: 'files', prefix: 'p/', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' },
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
  })
  return { storage, connections: () => sockets.length }
}

const WRONG_SERVERS = [
  ['AWS S3, another region', 301, 'PermanentRedirect'],
  ['AWS S3, a new bucket', 307, 'TemporaryRedirect'],
  ['AWS S3, another region', 400, 'AuthorizationHeaderMalformed'],
  ['AWS S3', 403, 'InvalidAccessKeyId'],
  ['AWS S3', 403, 'SignatureDoesNotMatch'],
  ['AWS S3', 500, 'InternalError'],
  ['AWS S3', 503, 'SlowDown'],
  ['MinIO, a node that starts', 503, 'XMinioServerNotInitialized'],
  ['MinIO, a node without quorum', 503, 'SlowDownWrite'],
  ['Ceph RGW, a secondary zone', 403, 'AccessDenied'],
  ['Garage, without a quorum', 503, 'ServiceUnavailable'],
  ['nginx, without a server', 502, 'BadGateway'],
  ['SeaweedFS, a full disk', 507, 'InsufficientStorage'],
] as const

for (const [server, status, code] of WRONG_SERVERS) {
  void t.test(`uses another connection after ${status} ${code} of ${server}`, async (t) => {
    const { storage, connections } = await openServer(t, status, code)
    await storage.remove('p/key').catch(() => undefined) // some errors are retried at once
    await storage.remove('p/key')
    t.equal(connections(), 2)
  })
}

void t.test('uses the same connection after an error that concerns the object', async (t) => {
  const { storage, connections } = await openServer(t, 404, 'NoSuchKey')
  t.equal(await storage.read('p/key'), undefined)
  t.equal(await storage.read('p/key'), undefined)
  t.equal(connections(), 1)
})
