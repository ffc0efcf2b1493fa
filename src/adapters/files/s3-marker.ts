import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { ANY_VERSION, type ExpectedVersion, type StoredMarker } from './storage.ts'

type Options = { abortSignal?: AbortSignal }
type Place = Readonly<{ Bucket: string; Key: string }>

/** The condition does not apply, or a concurrent write was faster. Some servers send 404 if the object is missing. */
const REFUSED: readonly unknown[] = [404, 409, 412]
const NOT_IMPLEMENTED = 501

export async function readMarkerObject(
  client: S3Client,
  place: Place,
  options: Options,
): Promise<StoredMarker | undefined> {
  const found = await client.send(new GetObjectCommand(place), options).catch(undefinedIfAbsent)
  if (!found) return undefined
  return { text: (await found.Body?.transformToString()) ?? '', version: found.ETag ?? '' }
}

export async function writeMarkerObject(
  client: S3Client,
  place: Place,
  { text: Body, expected }: { text: string; expected: ExpectedVersion },
  options: Options,
): Promise<boolean> {
  try {
    const content = { Body, ContentType: 'application/json' }
    await client.send(new PutObjectCommand({ ...place, ...content, ...conditionOf(expected) }), options)
    return true
  } catch (error) {
    const isMissingBucket = (error as Error).name === 'NoSuchBucket'
    if (expected !== ANY_VERSION && !isMissingBucket && REFUSED.includes(statusOf(error))) return false
    throw error
  }
}

/** Returns whether the server refuses writes whose condition does not hold, and accepts those whose condition holds. */
export async function probeConditions(
  client: S3Client,
  { Bucket, prefix }: { Bucket: string; prefix: string },
  options: Options,
): Promise<boolean> {
  const place = { Bucket, Key: `${prefix}tawthiq-probe-${randomUUID()}` }
  const isWritten = (expected: string | undefined): Promise<boolean> =>
    writeMarkerObject(client, place, { text: 'Tests conditional writes. Can be deleted.', expected }, options)
  try {
    if (!(await isWritten(undefined)) || (await isWritten(undefined))) return false
    const { version = '' } = (await readMarkerObject(client, place, options)) ?? {}
    return !(await isWritten(`"${'0'.repeat(32)}"`)) && (await isWritten(version))
  } catch (error) {
    if (statusOf(error) === NOT_IMPLEMENTED) return false
    throw error
  } finally {
    await client.send(new DeleteObjectCommand(place), options)
  }
}

function conditionOf(expected: ExpectedVersion): { IfMatch?: string; IfNoneMatch?: string } {
  if (expected === ANY_VERSION) return {}
  return expected === undefined ? { IfNoneMatch: '*' } : { IfMatch: expected }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

export function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error
}
