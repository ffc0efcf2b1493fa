// A server with one operation that takes a form with files and returns its content.
import type { FastifyInstance } from 'fastify'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Upload } from '../../../src/domain/files/file.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { acceptForms } from '../../../src/http/request/forms.ts'
import { createServer } from '../../../src/http/server.ts'
import { openSpool } from '../../../src/http/request/uploads.ts'
import { jsonLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../processes/process.ts'

const file = (megabytes: number): object => ({ type: 'string', format: 'binary', 'x-tawthiq-megabytes-max': megabytes })
const formSchema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', maxLength: 20 },
    day: { type: 'integer' },
    languages: { type: 'array', items: { type: 'integer' } },
    licenses: { type: 'object', additionalProperties: { type: 'string' } },
    photo: file(1),
    ...Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`document${at}`, file(8)])),
  },
}

export type FormServer = {
  origin: string
  server: FastifyInstance
  /** Returns the request directories in the upload directory. */
  leftovers(): string[]
  /** Returns the first characters of each uploaded file. */
  spooled(): string[]
  /** Maps the request body to the response body */
  operation: (body: Record<string, unknown>) => unknown
}

export async function openFormServer(): Promise<FormServer> {
  const directory = temporaryFolder()
  const server = createServer({
    log: jsonLog('silent'),
    defaultLanguage: 'en',
    isProduction: false,
    corsOrigins: [],
    allowsLocalOrigins: false,
    trustedProxies: [],
    shutdown: { isShuttingDown: false, isOver: false },
    uploadsDirectory: directory,
  })
  const spool = await openSpool(directory)
  const formServer: FormServer = {
    origin: '',
    server,
    leftovers: () => listRequestDirectories(directory),
    spooled: () => listFiles(directory).map((path) => readFileSync(path, 'latin1').slice(0, 4)),
    operation: (body) => ({ ...body, photo: contentOf(body['photo']) }),
  }
  await server.register(async (scope) => {
    await acceptForms(scope, spool)
    const schema = { body: { content: { 'multipart/form-data': { schema: formSchema } } } }
    scope.route({
      method: 'POST',
      url: '/without-token',
      schema,
      onRequest: (_request, _reply, done) => done(new Failure('token_missing')), // in the hook that reads the token
      handler: () => undefined,
    })
    scope.route({
      method: 'POST',
      url: '/form',
      schema,
      handler: async ({ body }) => ({ given: await formServer.operation(body as Record<string, unknown>) }),
    })
  })
  formServer.origin = await server.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  return formServer
}

/** Returns the size, mode and first characters of an uploaded file. */
function contentOf(value: unknown): object | undefined {
  if (value === undefined) return undefined
  const { path, bytes } = value as Upload
  return { bytes, mode: statSync(path).mode & 0o777, begins: readFileSync(path, 'latin1').slice(0, 10) }
}

/** Returns the directories of requests, which contain their files. */
function listRequestDirectories(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => readdirSync(join(directory, name)))
}

function listFiles(directory: string): string[] {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
