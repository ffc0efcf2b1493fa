import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import { startMeter, type Spool, type Uploads } from './uploads.ts'
import { readFormRules, type FormRules } from '../../contract/forms/form-rules.ts'
import { parseForm, type FormPart } from '../../contract/forms/form-values.ts'
import { parseJson } from '../../contract/json.ts'

const TEXT_BYTES_MAX = LIMITS.body.form_kilobytes * 1024
const NAME_BYTES_MAX = 100
/** Replaces a file in a field that expects none: no schema accepts it, so validation reports `wrong_type`. */
const FILE = Symbol('a file')

/** The disk is full or broken, or the process has too many open files. The client is not at fault. */
const DISK_FAULT = /^E(NOSPC|DQUOT|IO|ROFS|ACCES|PERM|NOENT|NOTDIR|MFILE|NFILE)$/

type Form = Record<string, unknown>

/** Parses forms for the routes of this scope whose schema has one, and deletes their files after each request. */
export async function acceptForms(scope: FastifyInstance, spool: Spool): Promise<void> {
  await scope.register(multipart, { throwFileSizeLimit: false })
  scope.addHook('onRoute', (route) => {
    const rules = readFormRules(route.schema)
    if (rules) acceptForm(route, rules, spool)
  })
}

function acceptForm(route: RouteOptions, rules: FormRules, spool: Spool): void {
  const { handler } = route
  const uploadsByRequest = new WeakMap<FastifyRequest, { uploads: Uploads; isInUse: boolean }>()

  const { preValidation = [] } = route
  const read = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return
    if (reply.raw.closed) throw new Failure('malformed_request') // its client has left, and nothing more arrives
    const held = { uploads: spool.newUploads(), isInUse: false }
    uploadsByRequest.set(request, held)
    reply.raw.once('close', () => {
      held.uploads.abandon()
      if (!held.isInUse) void held.uploads.clear()
    })
    request.body = await readForm(request, rules, held.uploads)
  }
  route.preValidation = [read, preValidation].flat()
  route.handler = async function (request: FastifyRequest, reply: FastifyReply) {
    const held = uploadsByRequest.get(request)
    if (!held) return handler.call(this, request, reply)
    held.isInUse = true // the operation still needs its files when the client disconnects
    try {
      return await handler.call(this, request, reply)
    } finally {
      await held.uploads.clear()
    }
  }
}

/**
 * Parses a form into the object that the document describes.
 *
 * @throws Failure 400 when the form is malformed, 413 when it is too large or its texts are
 */
async function readForm(request: FastifyRequest, rules: FormRules, uploads: Uploads): Promise<Form> {
  const meter = startMeter(request, rules.bytesMax)
  try {
    const parts = await Promise.race([readParts(request, rules, uploads), meter.overflow])
    return parseForm(rules.schema, parts)
  } catch (error) {
    await uploads.clear()
    await request.routeOptions.config.refuseEndedSession?.(request)
    throw toFailure(error)
  } finally {
    meter.stop()
  }
}

async function readParts(request: FastifyRequest, rules: FormRules, uploads: Uploads): Promise<FormPart[]> {
  const parts: FormPart[] = []
  let textBytes = 0
  let isTooLarge = false
  for await (const part of request.parts({ limits: toParserLimits(rules) })) {
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
  // only after the last part, because some clients read nothing before they have sent everything
  if (isTooLarge) throw new Failure('body_too_large')
  return parts
}

function toParserLimits({ fileBytesMax, filesMax, partsMax }: FormRules): object {
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
 * Reads a part that came as a file. An empty one counts as absent, because browsers send it for an input without a file.
 *
 * @returns undefined for a JSON part that is too large; a file that is too large is an error of its field
 */
async function readFile(
  { fieldname, mimetype, file }: MultipartFile,
  rules: FormRules,
  uploads: Uploads,
): Promise<unknown> {
  const bytesMax = rules.fileBytesMax.get(fieldname)
  if (bytesMax !== undefined) {
    const taken = await uploads.store(file, bytesMax)
    return 'bytes' in taken && taken.bytes === 0 ? '' : taken
  }
  if (mimetype === 'application/json' && rules.jsonNames.has(fieldname)) return readJsonFile(file)
  file.resume()
  return FILE
}

/** Parses a JSON part, which browsers send as a file. */
async function readJsonFile(file: MultipartFile['file']): Promise<unknown> {
  const chunks = (await file.toArray()) as Buffer[]
  const bytes = Buffer.concat(chunks)
  if (file.truncated || bytes.length > TEXT_BYTES_MAX) return undefined
  return bytes.length === 0 ? '' : parseJson(bytes)
}

/** Maps errors of the parser and of the disk. Any other form that cannot be parsed is malformed. */
function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (DISK_FAULT.test(code)) return new Failure('storage_unavailable', { retryAfterSeconds: 10, cause: error })
  const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooLarge ? 'body_too_large' : 'malformed_request', { cause: error })
}
