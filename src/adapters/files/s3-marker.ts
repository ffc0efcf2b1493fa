import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { randomUUID } from 'node:crypto'
import { ANY_VERSION, type ExpectedVersion, type FileStorage } from './storage.ts'

/** The condition does not apply, or a concurrent write was faster. Some servers send 404 if the object is missing. */
const REFUSED: readonly unknown[] = [404, 409, 412]
const NOT_IMPLEMENTED = 501

/** Reads an object, and writes it on conditions: the marker, or one that tests whether the server enforces them. */
export function markerObject(
  client: S3Client,
  place: Readonly<{ Bucket: string; Key: string }>,
): Pick<FileStorage, 'readMarker' | 'writeMarker'> {
  return {
    async readMarker(signal) {
      const found = await client.send(new GetObjectCommand(place), sendOptions(signal)).catch(undefinedIfAbsent)
      return found && { text: (await found.Body?.transformToString()) ?? '', version: found.ETag ?? '' }
    },
    async writeMarker(Body, expected, signal) {
      try {
        const content = { Body, ContentType: 'application/json' }
        await client.send(new PutObjectCommand({ ...place, ...content, ...conditionOf(expected) }), sendOptions(signal))
        return true
      } catch (error) {
        const isMissingBucket = (error as Error).name === 'NoSuchBucket'
        if (expected !== ANY_VERSION && !isMissingBucket && REFUSED.includes(statusOf(error))) return false
        throw error
      }
    },
  }
}

/** Returns whether the server refuses writes whose condition does not hold, and accepts those whose condition holds. */
export async function probeConditions(
  client: S3Client,
  { Bucket, prefix }: { Bucket: string; prefix: string },
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const place = { Bucket, Key: `${prefix}tawthiq-probe-${randomUUID()}` }
  const { readMarker, writeMarker } = markerObject(client, place)
  const isWritten = (expected: string | undefined): Promise<boolean> =>
    writeMarker('Tests conditional writes. Can be deleted.', expected, signal)
  try {
    if (!(await isWritten(undefined)) || (await isWritten(undefined))) return false
    const { version = '' } = (await readMarker(signal)) ?? {}
    return !(await isWritten(`"${'0'.repeat(32)}"`)) && (await isWritten(version))
  } catch (error) {
    if (statusOf(error) === NOT_IMPLEMENTED) return false
    throw error
  } finally {
    await client.send(new DeleteObjectCommand(place), sendOptions(signal))
  }
}

function conditionOf(expected: ExpectedVersion): { IfMatch?: string; IfNoneMatch?: string } {
  if (expected === ANY_VERSION) return {}
  return expected === undefined ? { IfNoneMatch: '*' } : { IfMatch: expected }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

export function sendOptions(abortSignal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return abortSignal ? { abortSignal } : {}
}

export function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof NoSuchKey)) throw error
}
