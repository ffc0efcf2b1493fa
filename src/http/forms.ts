import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { LIMITS } from '../../generated/limits.ts'
import { Failure } from '../domain/failure.ts'
import { meterOf } from './body-meter.ts'
import { formRulesOf, type FormRules } from './form-rules.ts'
import { formValues, type FormPart } from './form-values.ts'
import { parseJson } from './json.ts'
import type { Spool, Uploads } from './uploads.ts'

const TEXT_BYTES_MAX = LIMITS.body.form_kilobytes * 1024
const NAME_BYTES_MAX = 100
/** What stands for a file where none is expected: it has no type that a schema knows, so it is of the wrong one. */
const FILE = Symbol('a file')

/** The disk is full or broken, or the process has too many files open: nothing that the sender can mend. */
const DISK_FAULT = /^E(NOSPC|DQUOT|IO|ROFS|ACCES|PERM|NOENT|NOTDIR|MFILE|NFILE)$/

type Form = Record<string, unknown>

/** Lets the routes of this scope whose schema has a form take it. Their files are gone when a request is over. */
export async function takeForms(scope: FastifyInstance, spool: Spool): Promise<void> {
  await scope.register(multipart, { throwFileSizeLimit: false })
  scope.addHook('onRoute', (route) => {
    const rules = formRulesOf(route.schema)
    if (rules) takeForm(route, rules, spool)
  })
}

function takeForm(route: RouteOptions, rules: FormRules, spool: Spool): void {
  const { handler } = route
  const uploadsOf = new WeakMap<FastifyRequest, { uploads: Uploads; isInUse: boolean }>()

  const { preValidation = [] } = route
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return
    const held = { uploads: spool.newUploads(), isInUse: false }
    uploadsOf.set(request, held)
    reply.raw.once('close', () => {
      held.uploads.abandon()
      if (!held.isInUse) void held.uploads.clear()
    })
    request.body = await readForm(request, rules, held.uploads)
  }
  route.preValidation = [read, preValidation].flat()
  route.handler = async function (request: FastifyRequest, reply: FastifyReply) {
    const held = uploadsOf.get(request)
    if (!held) return handler.call(this, request, reply)
    held.isInUse = true // a client that leaves takes no files from under the operation
    try {
      return await handler.call(this, request, reply)
    } finally {
      await held.uploads.clear()
    }
  }
}

/**
 * Reads a form into the object that the document describes.
 *
 * @throws Failure 400 when the form is broken, 413 when it or a text of it is too large
 */
async function readForm(request: FastifyRequest, rules: FormRules, uploads: Uploads): Promise<Form> {
  const meter = meterOf(request, rules.bytesMax)
  try {
    const parts = await Promise.race([readParts(request, rules, uploads), meter.overflow])
    return formValues(rules.schema, parts)
  } catch (error) {
    await uploads.clear()
    throw formFailure(error)
  } finally {
    meter.stop()
  }
}

async function readParts(request: FastifyRequest, rules: FormRules, uploads: Uploads): Promise<FormPart[]> {
  const parts: FormPart[] = []
  let textBytes = 0
  let isTooLarge = false
  for await (const part of request.parts({ limits: limitsOf(rules) })) {
    const { fieldname: name } = part
    if ((name as string | undefined) === undefined) throw new Failure('malformed_request') // a part without a name
    if (part.type === 'field') {
      textBytes += Buffer.byteLength(String(part.value))
      isTooLarge ||= part.fieldnameTruncated || part.valueTruncated || textBytes > TEXT_BYTES_MAX
      parts.push({ name, value: part.value })
    } else {
      const value = await readFile(part, rules, uploads)
      if (value === undefined) isTooLarge = true
      else if (value !== '') parts.push({ name, value })
    }
  }
  // only now, so that clients who send first and then listen get the answer
  if (isTooLarge) throw new Failure('body_too_large')
  return parts
}

function limitsOf({ fileBytesMax, filesMax, partsMax }: FormRules): object {
  return {
    fieldNameSize: NAME_BYTES_MAX,
    fieldSize: TEXT_BYTES_MAX,
    fields: partsMax,
    parts: partsMax,
    files: filesMax,
    fileSize: Math.max(TEXT_BYTES_MAX, ...fileBytesMax.values()) + 1,
    headerPairs: 20,
  }
}

/**
 * Reads a part that came as a file. Without content it counts as absent: browsers send that for an input without a file.
 * Undefined: it is a JSON part that is too large. A file over its limit is a fault of its field, like any other.
 */
async function readFile(
  { fieldname, mimetype, file }: MultipartFile,
  rules: FormRules,
  uploads: Uploads,
): Promise<unknown> {
  const bytesMax = rules.fileBytesMax.get(fieldname)
  if (bytesMax !== undefined) {
    const taken = await uploads.take(file, bytesMax)
    return 'bytes' in taken && taken.bytes === 0 ? '' : taken
  }
  if (mimetype === 'application/json' && rules.jsonNames.has(fieldname)) return readJsonFile(file)
  file.resume()
  return FILE
}

/** Browsers send the JSON parts of a form as files. */
async function readJsonFile(file: MultipartFile['file']): Promise<unknown> {
  const chunks = (await file.toArray()) as Buffer[]
  const bytes = Buffer.concat(chunks)
  if (file.truncated || bytes.length > TEXT_BYTES_MAX) return undefined
  return bytes.length === 0 ? '' : parseJson(bytes)
}

/** What the parser says has no status of ours: a form that it cannot read is malformed. */
function formFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (DISK_FAULT.test(code)) return new Failure('storage_unavailable', { retryAfterSeconds: 10, cause: error })
  const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooLarge ? 'body_too_large' : 'malformed_request', { cause: error })
}
