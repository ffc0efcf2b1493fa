// What the service is compared with: a server of node:http and pg without a framework, and a Fastify route for uploads.
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { createWriteStream } from 'node:fs'
import { readFile, unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { encodeImage, openImage } from '../../src/adapters/files/images/convert.ts'

const { PORT, UPLOAD_PORT, DATA_DIR = '', DATABASE_URL } = process.env
/** 142 bytes */
const CONSTANT = JSON.stringify({ constant: 'x'.repeat(127) })

const pool = new pg.Pool({ connectionString: DATABASE_URL })
await pool.query(
  `CREATE TABLE people (id int PRIMARY KEY, email text, name text, updated_at timestamptz DEFAULT now());
   INSERT INTO people SELECT id, 'person-' || id || '@example.org', 'name' FROM generate_series(1, 1000) AS id`,
)

const SELECT = 'SELECT id, email, name, updated_at FROM people WHERE id = $1'
const UPDATE = 'UPDATE people SET name = $2, updated_at = now() WHERE id = $1 RETURNING id, email, name, updated_at'
let requests = 0
const nextId = (): number => (++requests % 1000) + 1

type Answer = (request: IncomingMessage) => string | Promise<string>
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/constant': () => CONSTANT,
  async '/select'() {
    const { rows } = await pool.query<object>({ name: 'select', text: SELECT, values: [nextId()] })
    return JSON.stringify({ status: true, data: rows[0] })
  },
  async '/update'(request) {
    const { name } = JSON.parse(await text(request)) as { name: string }
    const { rows } = await pool.query<object>({ name: 'update', text: UPDATE, values: [nextId(), name] })
    return JSON.stringify({ status: true, data: rows[0] })
  },
}

createServer((request, response) => {
  const answer = ANSWERS[request.url ?? '']?.(request) ?? '{}'
  const send = (body: string): unknown => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  if (typeof answer === 'string') send(answer)
  else void answer.then(send)
}).listen(Number(PORT), '127.0.0.1')

const uploads = fastify({ bodyLimit: 10_000_000 })
await uploads.register(multipart)
uploads.put('/upload', async (request) => {
  const path = join(DATA_DIR, String(++requests))
  for await (const part of request.parts()) if (part.type === 'file') await pipeline(part.file, createWriteStream(path))
  await encodeImage(await openImage(await readFile(path)), 'image/jpeg').toFile(`${path}.jpg`)
  await unlink(path)
  return { status: true }
})
await uploads.listen({ host: '127.0.0.1', port: Number(UPLOAD_PORT) })
