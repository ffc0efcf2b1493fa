import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from '../domain/failure.ts'

const FORM_BYTES_MAX = LIMITS.body.form_kilobytes * 1024
const PARTS_MAX = 100
const NAME_BYTES_MAX = 100
/** What stands for a file where a text is expected: it fails as a value of the wrong type. */
const FILE = {}

type Form = Record<string, unknown>

/** Lets the routes of this scope take forms. */
export async function takeForms(scope: FastifyInstance): Promise<void> {
  const limits = {
    fieldNameSize: NAME_BYTES_MAX,
    fieldSize: FORM_BYTES_MAX,
    fields: PARTS_MAX,
    parts: PARTS_MAX,
    headerPairs: 20,
  }
  await scope.register(multipart, { limits, throwFileSizeLimit: false })
}

/**
 * Reads a form into the object that the document describes. An empty field counts as absent, and a field that stands
 * twice is a list.
 *
 * @throws Failure 400 when the form is broken, 413 when it or a part of it is too large
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  const meter = meterOf(request)
  try {
    return await Promise.race([readFields(request), meter.overflow])
  } catch (error) {
    throw formFailure(error)
  } finally {
    meter.stop()
  }
}

async function readFields(request: FastifyRequest): Promise<Form> {
  const form = Object.create(null) as Form
  for await (const part of request.parts()) {
    if (part.type === 'file') part.file.resume()
    else if (part.fieldnameTruncated || part.valueTruncated) throw new Failure('body_too_large')
    const value = part.type === 'file' ? FILE : part.value
    if (value === '') continue
    form[part.fieldname] = part.fieldname in form ? [form[part.fieldname], value].flat() : value
  }
  return form
}

/** The parser reads the raw request, where Fastify's own limit does not apply. */
function meterOf({ raw }: FastifyRequest): { overflow: Promise<never>; stop: () => void } {
  let bytes = 0
  let count: (chunk: Buffer) => void = () => undefined
  const overflow = new Promise<never>((_, reject) => {
    count = (chunk) => {
      bytes += chunk.length
      if (bytes <= FORM_BYTES_MAX) return
      raw.unpipe()
      reject(new Failure('body_too_large'))
    }
  })
  raw.on('data', count)
  raw.pause() // until the parser takes it
  return { overflow, stop: () => raw.off('data', count) }
}

/** What the parser says has no status of ours: a form that it cannot read is malformed. */
function formFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooLarge ? 'body_too_large' : 'malformed_request', { cause: error })
}
