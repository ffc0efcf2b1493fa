import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Failure } from '../../domain/failure.ts'
import type { TraceHeaders } from '../../lib/tracing.ts'
import { withTraceHeaders } from '../tracing/s3.ts'
import { createKeys } from './keys.ts'
import { probeConditions, readMarkerObject, undefinedIfAbsent, writeMarkerObject } from './s3-marker.ts'
import type { FileStorage } from './storage.ts'

export type S3Options = Readonly<{
  bucket: string
  /** The prefix of all keys; ends with a slash */
  prefix: string
  /** Undefined for AWS */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  forcePathStyle: boolean
  /** Longest wait for a response, in milliseconds */
  timeoutMs?: number
  /** Returns headers that continue the current trace */
  traceHeaders?: (() => TraceHeaders) | undefined
}>

const CONNECT_MS_MAX = 1000
const RESPONSE_MS_MAX = 10_000
const ATTEMPTS_MAX = 2
/** A download occupies a socket until its client has read it. */
const SOCKETS_MAX = 500
const RETRY_AFTER_SECONDS = 5

/**
 * Stores files in a bucket of any S3-compatible server. All methods throw 503 `storage_unavailable` if the server
 * fails.
 */
export function s3Storage(options: S3Options): FileStorage {
  const { bucket: Bucket, prefix: Prefix } = options
  const client = createClient(options)
  const keys = createKeys(Prefix)

  return {
    description: `The bucket ${Bucket} (prefix ${Prefix})`,
    newKey: keys.newKey,
    isOwnKey: keys.isOwn,
    put: (Key, path, ContentType, signal) =>
      translateErrors(() => putFile(client, path, { Bucket, Key, ContentType }, signal)),
    read: (Key, signal) =>
      translateErrors(async () => {
        const found = await client
          .send(new GetObjectCommand({ Bucket, Key }), sendOptions(signal))
          .catch(undefinedIfAbsent)
        return found?.Body instanceof Readable ? found.Body : undefined
      }),
    remove: (Key, signal) =>
      translateErrors(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key }), sendOptions(signal))
      }),
    async *list(signal) {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket, Prefix },
        sendOptions(signal),
      )) {
        for (const { Key: key, LastModified } of Contents) {
          if (key !== undefined && key !== keys.marker && LastModified)
            yield { key, storedAtMs: LastModified.getTime() }
        }
      }
    },
    readMarker: (signal) =>
      translateErrors(() => readMarkerObject(client, { Bucket, Key: keys.marker }, sendOptions(signal))),
    writeMarker: (text, expected, signal) =>
      translateErrors(() =>
        writeMarkerObject(client, { Bucket, Key: keys.marker }, { text, expected }, sendOptions(signal)),
      ),
    hasConditionalWrites: (signal) =>
      translateErrors(() => probeConditions(client, { Bucket, prefix: Prefix }, sendOptions(signal))),
  }
}

async function putFile(
  client: S3Client,
  path: string,
  target: { Bucket: string; Key: string; ContentType: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { size: ContentLength } = await stat(path)
  const Body = createReadStream(path)
  try {
    await client.send(new PutObjectCommand({ ...target, Body, ContentLength }), sendOptions(signal))
  } finally {
    Body.destroy() // an aborted request leaves it open
  }
}

export function createClient(options: S3Options): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle, timeoutMs, traceHeaders } = options
  const handler = new NodeHttpHandler({
    connectionTimeout: CONNECT_MS_MAX,
    requestTimeout: timeoutMs ?? RESPONSE_MS_MAX,
    socketTimeout: 0, // a timeout would break slow downloads, which leave their socket idle
    throwOnRequestTimeout: true,
    httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
  })
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: withTraceHeaders(handler, traceHeaders),
    // Not all servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function sendOptions(abortSignal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return abortSignal ? { abortSignal } : {}
}

async function translateErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (cause) {
    throw new Failure('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
  }
}
