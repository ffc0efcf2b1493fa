import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import { keysWith } from './keys.ts'
import type { FileStorage } from './storage.ts'

export type S3Options = Readonly<{
  bucket: string
  /** What the keys of this service begin with; it ends with a slash. */
  prefix: string
  /** Undefined: AWS */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
  /** How long an answer may let wait */
  timeoutMs?: number
}>

const CONNECT_MS_MAX = 1000
const ANSWER_MS_MAX = 10_000
const ATTEMPTS_MAX = 2
/** A download occupies a socket for as long as its client reads. */
const SOCKETS_MAX = 500
const RETRY_AFTER_SECONDS = 5

/** Files in a bucket of any S3-compatible server. All methods throw 503 `storage_unavailable` when it does not answer. */
export function s3Storage(options: S3Options): FileStorage {
  const { bucket: Bucket, prefix: Prefix } = options
  const client = clientOf(options)
  const keys = keysWith(Prefix)

  return {
    place: `The bucket ${Bucket} (prefix ${Prefix})`,
    newKey: keys.newKey,
    isOwnKey: keys.isOwn,
    put: (Key, path, ContentType, signal) =>
      asked(async () => {
        const { size: ContentLength } = await stat(path)
        const Body = createReadStream(path)
        try {
          await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, ContentLength }), until(signal))
        } finally {
          Body.destroy() // of which an aborted request leaves the rest
        }
      }),
    read: (Key, signal) =>
      asked(async () => {
        const found = await client.send(new GetObjectCommand({ Bucket, Key }), until(signal)).catch(undefinedIfAbsent)
        return found?.Body instanceof Readable ? found.Body : undefined
      }),
    remove: (Key, signal) =>
      asked(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), until(signal))
      }),
    async *list(signal) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }, until(signal))) {
        for (const { Key: key, LastModified } of Contents) {
          if (key !== undefined && key !== keys.marker && LastModified)
            yield { key, storedAtMs: LastModified.getTime() }
        }
      }
    },
    readMarker: (signal) =>
      asked(async () => {
        const command = new GetObjectCommand({ Bucket, Key: keys.marker })
        const found = await client.send(command, until(signal)).catch(undefinedIfAbsent)
        return found?.Body?.transformToString()
      }),
    writeMarker: (Body, signal) =>
      asked(async () => {
        const command = new PutObjectCommand({ Bucket, Key: keys.marker, Body, ContentType: 'application/json' })
        await client.send(command, until(signal))
      }),
  }
}

function clientOf({ endpoint, region, accessKeyId, secretAccessKey, forcePathStyle, timeoutMs }: S3Options): S3Client {
  const requestTimeout = timeoutMs ?? ANSWER_MS_MAX
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout,
      socketTimeout: 0, // it would break the downloads of slow clients, which leave their socket idle
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    }),
    // not all servers know the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function until(abortSignal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return abortSignal ? { abortSignal } : {}
}

async function asked<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (cause) {
    throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
  }
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error
}
