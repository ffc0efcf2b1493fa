// An S3 server with empty buckets.
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { S3Options } from '../../../src/adapters/files/s3.ts'
import { temporaryFolder } from '../processes/process.ts'

/** The package has no types. */
type S3rver = new (options: object) => { run(): Promise<AddressInfo>; close(): Promise<void> }

const Server = createRequire(import.meta.url)('s3rver') as S3rver

/** @param others the names of further buckets */
export async function openS3(others: readonly string[] = []): Promise<S3Options> {
  const bucket = 'files'
  const options = { port: 0, address: '127.0.0.1', silent: true, directory: temporaryFolder() }
  const server = new Server({ ...options, configureBuckets: [bucket, ...others].map((name) => ({ name })) })
  const { port } = await server.run()
  t.teardown(() => server.close())
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
