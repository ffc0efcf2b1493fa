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
import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Tracer } from '../../lib/tracing.ts'
import { markerObject, probeConditions, sendOptions, undefinedIfAbsent } from './s3-marker.ts'
import { MARKER, randomKeys, type FileStorage } from './storage.ts'

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
  /** Traces calls of requests. Keys are random, but are left out. */
  tracer?: Tracer | undefined
}>

const CONNECT_MS_MAX = 1000
const RESPONSE_MS_MAX = 10_000
const ATTEMPTS_MAX = 2
/** A download occupies a socket until its client has read it. */
const SOCKETS_MAX = 500

/** Stores files in a bucket of an S3-compatible server. Errors are those of the client, which `resilientStorage` translates. */
export function s3Storage(options: S3Options): FileStorage {
  const { bucket: Bucket, prefix: Prefix, tracer } = options
  const client = createClient(options)
  const marker = { Bucket, Key: Prefix + MARKER }
  const trace = <Result>(method: string, call: () => Promise<Result>): Promise<Result> => {
    const attributes = { 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': method }
    return tracer ? tracer.trace(`S3 ${method}`, { attributes }, call) : call()
  }
  return {
    description: `The bucket ${Bucket} (prefix ${Prefix})`,
    ...randomKeys(Prefix),
    async put(Key, path, ContentType, signal) {
      const { size: ContentLength } = await stat(path)
      const Body = createReadStream(path)
      try {
        const command = new PutObjectCommand({ Bucket, Key, ContentType, Body, ContentLength })
        await trace('PutObject', () => client.send(command, sendOptions(signal)))
      } finally {
        Body.destroy() // an aborted request leaves it open
      }
    },
    async read(Key, signal) {
      const command = new GetObjectCommand({ Bucket, Key })
      const found = await trace('GetObject', () => client.send(command, sendOptions(signal)).catch(undefinedIfAbsent))
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    async remove(Key, signal) {
      await trace('DeleteObject', () => client.send(new DeleteObjectCommand({ Bucket, Key }), sendOptions(signal)))
    },
    async *list(signal) {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix }, sendOptions(signal))
      for await (const { Contents = [] } of pages) {
        for (const { Key: key, LastModified } of Contents) {
          if (key !== undefined && key !== marker.Key && LastModified) yield { key, storedAtMs: LastModified.getTime() }
        }
      }
    },
    ...markerObject(client, marker),
    hasConditionalWrites: (signal) => probeConditions(client, { Bucket, prefix: Prefix }, signal),
  }
}

export function createClient(options: S3Options): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle, timeoutMs, tracer } = options
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
    requestHandler: withOwnConnections(handler, tracer),
    // Not all servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Statuses that concern the object of a request. With any other error, the server may be the wrong one. */
const OF_OBJECT: ReadonlySet<number> = new Set([304, 404, 409, 412, 416])

/**
 * Adds headers that continue the current trace to each request, after it was signed: a proxy may replace them. Closes the
 * connection after a response that may come from the wrong server.
 */
function withOwnConnections(handler: NodeHttpHandler, tracer: Tracer | undefined): NodeHttpHandler {
  const handle = handler.handle.bind(handler)
  handler.handle = async (request, options) => {
    Object.assign(request.headers, tracer?.headers())
    const handled = await handle(request, options)
    const { statusCode, body } = handled.response as { statusCode: number; body: unknown } // declared as any
    if (statusCode >= 300 && !OF_OBJECT.has(statusCode) && body instanceof IncomingMessage) {
      const { socket } = body
      body.once('end', () => socket.destroy())
    }
    return handled
  }
  return handler
}
