// A server with one operation that takes a form with files, and tells what it was given.
import type { FastifyInstance } from 'fastify'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Upload } from '../../src/domain/upload.ts'
import { Failure } from '../../src/domain/failure.ts'
import { takeForms } from '../../src/http/forms.ts'
import { createServer } from '../../src/http/server.ts'
import { openSpool } from '../../src/http/uploads.ts'
import { jsonLog } from '../../src/log.ts'
import { temporaryFolder } from './process.ts'

const file = (megabytes: number): object => ({ type: 'string', format: 'binary', 'x-megabytes-max': megabytes })
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
  /** What lies in the place of uploads now */
  leftovers(): string[]
  /** How the files begin that lie there */
  spooled(): string[]
  /** What is called with the body, before it is answered */
  operation: (body: Record<string, unknown>) => unknown
}

export async function openFormServer(): Promise<FormServer> {
  const folder = temporaryFolder()
  const server = createServer({
    log: jsonLog('silent'),
    defaultLanguage: 'en',
    isProduction: false,
    corsOrigins: [],
    allowsLocalOrigins: false,
    trustedProxies: [],
    departure: { isLeaving: false },
    uploadsFolder: folder,
  })
  const spool = await openSpool(folder)
  const formServer: FormServer = {
    origin: '',
    server,
    leftovers: () => foldersBelow(folder),
    spooled: () => filesBelow(folder).map((path) => readFileSync(path, 'latin1').slice(0, 4)),
    operation: (body) => ({ ...body, photo: contentOf(body['photo']) }),
  }
  await server.register(async (scope) => {
    await takeForms(scope, spool)
    const schema = { body: { content: { 'multipart/form-data': { schema: formSchema } } } }
    scope.route({
      method: 'POST',
      url: '/without-token',
      schema,
      onRequest: (_request, _reply, done) => done(new Failure('token_missing')), // where the routes read the token
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

/** A file's path, size, mode and beginning. */
function contentOf(value: unknown): object | undefined {
  if (value === undefined) return undefined
  const { path, bytes } = value as Upload
  return { bytes, mode: statSync(path).mode & 0o777, begins: readFileSync(path, 'latin1').slice(0, 10) }
}

/** The folders of requests, each of which has their files. */
function foldersBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))
}

function filesBelow(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
