import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { readFile as readContent } from 'node:fs/promises'
import { LIMITS } from '../../../generated/limits.ts'
import { Failure } from '../../domain/failure.ts'
import { startMeter, type Spool, type Uploads } from './uploads.ts'
import { fileIdOf } from '../../contract/linked-file-id.ts'
import { readFormRules, type FormRules } from '../../contract/forms/form-rules.ts'
import { parseForm, type FormPart } from '../../contract/forms/form-values.ts'
import { parseJson } from '../../contract/json.ts'

const TEXT_BYTES_MAX = LIMITS.body.form_kilobytes * 1024
const JSON_TYPE = 'application/json'
/** Transfer encodings that change no bytes (RFC 2045, 6.2). RFC 7578 (4.7) deprecates all others in forms. */
const IDENTITY = /^(7bit|8bit|binary)$/
const LINK_BYTES_MAX = 1000
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
  const { handler, preValidation = [] } = route
  const uploadsByRequest = new WeakMap<FastifyRequest, { uploads: Uploads; isInUse: boolean }>()
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
  const texts = { bytes: 0, areTooLarge: false }
  let files = 0
  for await (const part of request.parts({ limits: toParserLimits(rules), isPartAFile: isFilePart(rules) })) {
    const { fieldname: name } = part
    if ((name as string | undefined) === undefined) throw new Failure('malformed_request') // a part without a name
    if (!IDENTITY.test(part.encoding)) throw new Failure('transfer_encoding_unsupported')
    if (part.type === 'field') {
      texts.bytes += Buffer.byteLength(String(part.value))
      texts.areTooLarge ||= part.valueTruncated || texts.bytes > TEXT_BYTES_MAX
      parts.push({ name, value: part.value })
      continue
    }
    const isText = isJson(part, rules)
    if (!isText && ++files > rules.filesMax) throw new Failure('body_too_large')
    const value = isText ? await readJsonPart(part, texts) : await readFile(part, rules, uploads)
    if (value !== undefined) parts.push({ name, value })
  }
  // only after the last part, because some clients read nothing before they have sent everything
  if (texts.areTooLarge) throw new Failure('body_too_large')
  return parts
}

/** The size of all texts of a form so far */
type Texts = { bytes: number; areTooLarge: boolean }

/** A part is a file if its field is one, or if it has a file name. JSON is read as one, so that only `parseJson` parses it. */
function isFilePart({ fileBytesMax }: FormRules): (name?: string, type?: string, fileName?: string) => boolean {
  return (name = '', type = '', fileName) =>
    fileName !== undefined || fileBytesMax.has(name) || ['application/octet-stream', JSON_TYPE].includes(type)
}

/** Returns whether a part is a value in JSON. With a file name, only a list or an object is. */
function isJson({ fieldname, mimetype, filename }: MultipartFile, { fileBytesMax, jsonNames }: FormRules): boolean {
  const isNamed = (filename as string | undefined) !== undefined
  return mimetype === JSON_TYPE && (isNamed ? jsonNames.has(fieldname) : !fileBytesMax.has(fieldname))
}

function toParserLimits({ fileBytesMax, partsMax }: FormRules): object {
  return {
    fieldSize: TEXT_BYTES_MAX,
    fields: partsMax,
    parts: partsMax,
    files: partsMax, // of which `filesMax` are no JSON
    fileSize: Math.max(TEXT_BYTES_MAX, ...fileBytesMax.values()) + 1,
    headerPairs: 20,
  }
}

/**
 * Stores a file; one that is too large is an error of its field. An empty one counts as absent, because browsers send it for
 * an input without a file, and so does a link to a file.
 */
async function readFile({ fieldname, file }: MultipartFile, rules: FormRules, uploads: Uploads): Promise<unknown> {
  const bytesMax = rules.fileBytesMax.get(fieldname)
  if (bytesMax === undefined) {
    file.resume()
    return FILE
  }
  const taken = await uploads.store(file, bytesMax)
  const text = 'bytes' in taken && taken.bytes <= LINK_BYTES_MAX ? await readContent(taken.path, 'utf8') : undefined
  return text === '' || fileIdOf(text) !== undefined ? undefined : taken
}

/** Parses a JSON part; undefined for an empty one. The rest of one that is too large is read, but not held. */
async function readJsonPart({ file }: MultipartFile, texts: Texts): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of file as AsyncIterable<Buffer>) {
    texts.bytes += chunk.length
    texts.areTooLarge ||= texts.bytes > TEXT_BYTES_MAX
    if (!texts.areTooLarge) chunks.push(chunk)
  }
  return texts.areTooLarge || chunks.length === 0 ? undefined : parseJson(Buffer.concat(chunks))
}

/** Maps errors of the parser and of the disk. Any other form that cannot be parsed is malformed. */
function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code = '' } = error as NodeJS.ErrnoException
  if (DISK_FAULT.test(code)) return new Failure('storage_unavailable', { retryAfterSeconds: 10, cause: error })
  const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
  return new Failure(isTooLarge ? 'body_too_large' : 'malformed_request', { cause: error })
}
