// Bare Fastify routes in a process of their own: one that returns constants, which PUT /constant/<name> sets, and one that
// stores an image of a form with the same conversion as the service.
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { createWriteStream } from 'node:fs'
import { readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { encodeImage, openImage } from '../../src/adapters/files/images/convert.ts'

const { PORT, DATA_DIR = '' } = process.env
const answers = new Map<string, unknown>()
let uploads = 0

const server = fastify({ bodyLimit: 10_000_000 })
await server.register(multipart)
type Named = { Params: { name: string } }
server.get<Named>('/constant/:name', ({ params: { name } }) => answers.get(name))
server.put<Named & { Body: { answer: unknown } }>('/constant/:name', ({ params: { name }, body }, reply) => {
  answers.set(name, body.answer)
  return reply.code(204).send()
})
server.put('/upload', async (request) => {
  const path = join(DATA_DIR, String(++uploads))
  for await (const part of request.parts()) if (part.type === 'file') await pipeline(part.file, createWriteStream(path))
  await encodeImage(await openImage(await readFile(path)), 'image/jpeg').toFile(`${path}.jpg`)
  await unlink(path)
  return { status: true }
})
await server.listen({ host: '127.0.0.1', port: Number(PORT) })
