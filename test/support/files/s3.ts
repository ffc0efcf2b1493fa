// An S3 server with empty buckets.
import { createRequire } from 'node:module'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { temporaryFolder } from '../processes/process.ts'
import { honourConditions, type WithMiddleware } from './conditional-s3.ts'

/** The package has no types. */
type S3rver = new (
  options: object,
) => WithMiddleware & { httpServer: Server; run(): Promise<AddressInfo>; close(): Promise<void> }

const FilesServer = createRequire(import.meta.url)('s3rver') as S3rver

type Options = {
  /** The names of further buckets */
  others?: readonly string[]
  /** What the server does with the conditions of writes: `refused` means also those that hold */
  conditions?: 'honored' | 'ignored' | 'refused'
}

export async function openS3({ others = [], conditions = 'honored' }: Options = {}): Promise<S3Options> {
  const bucket = 'files'
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: temporaryFolder() }
  const server = new FilesServer({ ...options, configureBuckets: [bucket, ...others].map((name) => ({ name })) })
  if (conditions !== 'ignored') honourConditions(server, conditions === 'refused')
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
