// An S3 server with empty buckets.
import t from 'tap'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { temporaryFolder } from '../processes/process.ts'
import { createS3 } from './conditional-s3.ts'

type Options = {
  /** The names of further buckets */
  others?: readonly string[]
  conditions?: Parameters<typeof createS3>[2]
}

export async function openS3({ others = [], conditions = 'honored' }: Options = {}): Promise<S3Options> {
  const bucket = 'files'
  const server = createS3(temporaryFolder(), [bucket, ...others], conditions)
  const { port } = await server.run()
  server.httpServer.keepAliveTimeout = 0 // on a busy machine, it would close connections that are about to be used
  t.teardown(() => {
    server.httpServer.closeAllConnections() // those of aborted requests would keep it open
    return server.close()
  })
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  return {
    ...credentials,
    bucket,
    prefix: 'tawthiq/',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
  }
}
