// Forms with files: which are accepted and rejected, and that no file is left behind.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Upload } from '../../src/domain/files/file.ts'
import { openSpool } from '../../src/http/request/uploads.ts'
import { openFormServer } from '../support/servers/form-server.ts'
import { rawExchange } from '../support/servers/raw.ts'
import { temporaryFolder } from '../support/processes/process.ts'

const MEGABYTE = 1024 * 1024
const formServer = await openFormServer()
const { origin, leftovers } = formServer

type FormResponse = { status: number; errorCode: string | null; body: { given?: unknown; data?: { codes: object } } }

async function send(...fields: [name: string, value: string | Blob, filename?: string][]): Promise<FormResponse> {
  const form = new FormData()
  for (const [name, value, filename] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, filename)
  }
  return post(form)
}

async function post(body: FormData | string | Buffer, headers: Record<string, string> = {}): Promise<FormResponse> {
  const response = await fetch(`${origin}/form`, { method: 'POST', body, headers })
  const errorCode = response.headers.get('error-code')
  return { status: response.status, errorCode, body: (await response.json()) as FormResponse['body'] }
}

const bytes = (count: number): Blob => new Blob([Buffer.alloc(count, 'x')])

async function nothingRemains(t: Test): Promise<void> {
  const deadlineMs = Date.now() + 30_000
  while (leftovers().length > 0 && Date.now() < deadlineMs) await sleep(5)
  t.same(leftovers(), [], 'no temporary file remains')
}

const photo = { bytes: 5, mode: 0o600, begins: 'xxxxx' }

void t.test('accepts files before, between and after the fields', async (t) => {
  const orders: [string, string | Blob][][] = [
    [
      ['photo', bytes(5)],
      ['name', 'x'],
      ['day', '٧'],
    ],
    [
      ['name', 'x'],
      ['photo', bytes(5)],
      ['day', '7'],
    ],
    [
      ['name', 'x'],
      ['day', '7'],
      ['photo', bytes(5)],
    ],
  ]
  for (const order of orders) {
    t.same((await send(...order)).body, { given: { name: 'x', day: 7, photo } })
    t.same(leftovers(), [], 'no temporary file remains after the response')
  }
})

void t.test('treats an input without a file as absent', async (t) => {
  t.same((await send(['name', 'x'], ['photo', bytes(0), ''])).body, { given: { name: 'x' } })
  t.same((await send(['name', 'x'], ['photo', ''])).body, { given: { name: 'x' } })
  await nothingRemains(t)
})

void t.test('accepts a map as browsers send it', async (t) => {
  const json = (text: string): Blob => new Blob([text], { type: 'application/json' })
  t.same((await send(['name', 'x'], ['licenses', json('{"12":"A"}'), 'blob'])).body, {
    given: { name: 'x', licenses: { 12: 'A' } },
  })
  t.same((await send(['name', 'x'], ['licenses', json('{"12":'), 'blob'])).errorCode, 'malformed_request')
  t.same((await send(['name', 'x'], ['licenses', json(`"${'x'.repeat(70_000)}"`), 'blob'])).errorCode, 'body_too_large')
})

/** Part of a form whose JSON has no file name, as clients send it that set the type of each part */
const jsonPart = (name: string, json: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${json}\r\n`

void t.test('parses JSON without a file name as strictly as a JSON body', async (t) => {
  const sendJson = async (...fields: [string, string][]): Promise<FormResponse> =>
    post(`${fields.map(([name, json]) => jsonPart(name, json)).join('')}--b--\r\n`, {
      'content-type': 'multipart/form-data; boundary=b',
    })
  const name: [string, string] = ['name', '"x"']
  const items = Array.from({ length: 9 }, (_, at): [string, string] => ['languages', String(at + 1)])
  t.match((await sendJson(name, ['licenses', '{"12":"A"}'])).body, { given: { name: 'x', licenses: { 12: 'A' } } })
  t.match((await sendJson(name, ...items)).body, { given: { languages: items.map(([, id]) => Number(id)) } })
  for (const json of ['{"12":"A","12":"B"}', '{"__proto__":"A"}', '{"12":'])
    t.equal((await sendJson(name, ['licenses', json])).errorCode, 'malformed_request', json)
  const long = JSON.stringify({ 12: 'x'.repeat(40_000) })
  t.equal((await sendJson(name, ['licenses', long])).status, 200, 'up to 64 kB')
  t.equal((await sendJson(name, ['licenses', long], ['languages', long])).errorCode, 'body_too_large', 'altogether')
  t.same((await sendJson(['name', '{}'])).body.data?.codes, { name: ['wrong_type'] })
})

void t.test('reports wrong_type for a file in place of a text', async (t) => {
  const cases: Record<string, [string, string | Blob, string?][]> = {
    name: [['name', bytes(3)]],
    day: [
      ['name', 'x'],
      ['day', bytes(3)],
    ],
    languages: [
      ['name', 'x'],
      ['languages', bytes(3)],
    ],
    licenses: [
      ['name', 'x'],
      ['licenses', bytes(3)],
    ],
    document0: [
      ['name', 'x'],
      ['document0', bytes(3)],
      ['document0', bytes(3)],
    ],
    document1: [
      ['name', 'x'],
      ['document1', new Blob(['{"path":"/etc/passwd","bytes":1}'], { type: 'application/json' })],
      ['document1', '{"path":"/etc/passwd","bytes":1}'],
    ],
  }
  for (const [name, fields] of Object.entries(cases)) {
    const { status, body } = await send(...fields)
    t.equal(status, 422)
    const [path = ''] = Object.keys(body.data?.codes ?? {})
    t.equal(path.split('.')[0], name)
    t.same(Object.values(body.data?.codes ?? {}), [['wrong_type']], name)
  }
  await nothingRemains(t)
})

void t.test('handles a part without a name, and bytes that are not UTF-8', async (t) => {
  const nameless = '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n'
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  t.equal((await post(nameless, type)).errorCode, 'malformed_request')
  const latin = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xe9t\xe9\r\n--b--\r\n',
    'latin1',
  )
  t.same((await post(latin, type)).body.data?.codes, { name: ['wrong_format'] })
})

void t.test('deletes the files of a rejected form', async (t) => {
  t.same((await send(['photo', bytes(5)])).body.data?.codes, { name: ['required'] })
  await nothingRemains(t)
})

void t.test('deletes the files of a form whose operation fails', async (t) => {
  const { operation } = formServer
  formServer.operation = () => {
    t.equal(leftovers().length, 1)
    throw new Error('planted')
  }
  t.equal((await send(['name', 'x'], ['photo', bytes(5)])).errorCode, 'unexpected')
  formServer.operation = operation
  t.same(leftovers(), [])
})

void t.test('enforces the limits of size and number', async (t) => {
  const field: [string, string] = ['name', 'x']
  t.equal((await send(field, ['photo', bytes(MEGABYTE)])).status, 200, 'a file at its limit')
  t.equal((await send(field, ['document0', bytes(8 * MEGABYTE)])).status, 200, 'each field has its own')
  const documents = (count: number, size: number): [string, Blob][] =>
    Array.from({ length: count }, (_, at) => [`document${at}`, bytes(size)])
  t.equal((await send(field, ['photo', bytes(1)], ...documents(6, 100))).status, 200, 'seven files')
  const eight = await send(field, ['photo', bytes(1)], ['photo', bytes(1)], ...documents(6, 100))
  t.equal(eight.errorCode, 'body_too_large', 'eight files')
  t.equal((await send(['name', 'x'.repeat(70_000)])).errorCode, 'body_too_large', 'a text')
  const texts = Array.from({ length: 5 }, (): [string, string] => ['languages', '1'.repeat(15_000)])
  t.equal((await send(field, ...texts)).errorCode, 'body_too_large', 'texts together')
  await nothingRemains(t)
})

void t.test('names files over their limits, together with everything else that is wrong', async (t) => {
  const { status, errorCode, body } = await send(
    ['photo', bytes(MEGABYTE + 1)],
    ['day', 'x'],
    ['document0', bytes(8 * MEGABYTE + 1)],
    ['document1', bytes(9 * MEGABYTE)],
    ['document2', bytes(8 * MEGABYTE)],
  )
  t.equal(status, 422)
  t.equal(errorCode, 'invalid_data')
  t.same(body.data, {
    errors: {
      photo: ['The file must not exceed 1 MB.'],
      day: ['This value has the wrong type. Accepted: integer.'],
      document0: ['The file must not exceed 8 MB.'],
      document1: ['The file must not exceed 8 MB.'],
      name: ['This field is required.'],
    },
    codes: {
      photo: ['file_too_large'],
      day: ['wrong_type'],
      document0: ['file_too_large'],
      document1: ['file_too_large'],
      name: ['required'],
    },
  })
  const twice = await send(['name', 'x'], ['photo', bytes(MEGABYTE + 1)], ['photo', bytes(1)])
  t.same(twice.body.data?.codes, { photo: ['wrong_type'] }, 'a field with two files')
  await nothingRemains(t)
})

void t.test('deletes a file over its limit while the rest of the form arrives', async (t) => {
  const head = (disposition: string): string => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const form = Buffer.concat([
    Buffer.from(head('name="photo"; filename="a.png"')),
    Buffer.alloc(2 * MEGABYTE, 'x'),
    Buffer.from(`\r\n${head('name="document0"; filename="b.pdf"')}`),
    Buffer.alloc(300_000, 'y'),
    Buffer.from('the rest'),
  ])
  const socket = await begin(form, form.length - 'the rest'.length)
  const deadlineMs = Date.now() + 30_000
  const isAlone = ([only, ...more]: string[]): boolean => more.length === 0 && only === 'yyyy'
  while (!isAlone(formServer.spooled()) && Date.now() < deadlineMs) await sleep(5)
  t.same(formServer.spooled(), ['yyyy'], 'only the file within its limit is on the disk')
  socket.destroy()
  await nothingRemains(t)
})

void t.test('rejects a form over 40 MB before its end', async (t) => {
  const { hostname: host, port } = new URL(origin)
  const socket = connect(Number(port), host)
  socket.write(
    'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  let response = ''
  socket.on('data', (chunk) => (response += chunk.toString())).on('error', () => undefined)
  const chunk = Buffer.alloc(MEGABYTE, 'x')
  const write = (data: Buffer | string): void => {
    socket.write(`${data.length.toString(16)}\r\n`)
    socket.write(data)
    socket.write('\r\n')
  }
  for (let part = 0; part < 6 && !response; part++) {
    write(`--b\r\nContent-Disposition: form-data; name="document${part}"; filename="x"\r\n\r\n`)
    for (let megabyte = 0; megabyte < 7 && !response; megabyte++) {
      write(chunk)
      await sleep(1)
    }
    write('\r\n')
  }
  const deadlineMs = Date.now() + 30_000
  while (!response && Date.now() < deadlineMs) await sleep(5)
  t.match(response, /^HTTP\/1.1 413/)
  socket.destroy()
  await nothingRemains(t)
})

/** A form with known bytes. */
function rawForm(): Buffer {
  const head = (disposition: string): string => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  return Buffer.concat([
    Buffer.from(`${head('name="name"')}x\r\n${head('name="photo"; filename="a.png"')}`),
    randomBytes(300_000),
    Buffer.from(`\r\n${head('name="document0"; filename="a.pdf"')}`),
    randomBytes(300_000),
    Buffer.from('\r\n--b--\r\n'),
  ])
}

/** Sends the beginning of a form. */
async function begin(form: Buffer, length: number): Promise<Socket> {
  const { hostname: host, port } = new URL(origin)
  const socket = connect(Number(port), host)
  socket.on('error', () => undefined)
  const type = 'Content-Type: multipart/form-data; boundary=b'
  socket.write(`POST /form HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${form.length}\r\n\r\n`)
  await new Promise<void>((resolve) => socket.write(form.subarray(0, length), () => resolve()))
  return socket
}

/** Sends the beginning of a form, and disconnects. */
async function sendCut(form: Buffer): Promise<void> {
  const socket = await begin(form, randomInt(form.length))
  await sleep(randomInt(4))
  socket.destroy()
}

void t.test('responds 401 before the body is sent', async (t) => {
  const head = 'Host: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 30000000\r\n'
  const received = await rawExchange(origin, `POST /without-token HTTP/1.1\r\n${head}\r\n`)
  t.equal(received.status, 401)
  t.equal(received.headers['connection'], 'close', 'the body is not awaited')
  await nothingRemains(t)
})

void t.test('deletes the files of uploads that are cut off at any byte', async (t) => {
  const form = rawForm()
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 10 }, () => sendCut(form)))
  }
  await nothingRemains(t)
  t.equal((await send(['name', 'x'], ['photo', bytes(5)])).status, 200, 'the service is still available')
})

void t.test('rejects a form that ends too early', async (t) => {
  for (let round = 0; round < 20; round++) {
    const form = rawForm()
    const body = form.subarray(0, randomInt(form.length - 10)).toString('latin1')
    const { errorCode } = await post(body, { 'content-type': 'multipart/form-data; boundary=b' })
    t.equal(errorCode, 'malformed_request')
  }
  await nothingRemains(t)
})

void t.test('stores the files of a running operation when the client disconnects', async (t) => {
  const { operation } = formServer
  const form = rawForm()
  let leave = (): unknown => undefined
  const isThere = new Promise<boolean>((resolve) => {
    formServer.operation = async ({ photo }) => {
      leave()
      await sleep(20)
      const { path, abandoned } = photo as Upload
      resolve(existsSync(path))
      t.equal(abandoned?.aborted, true, 'the operation can detect the disconnect')
    }
  })
  const socket = await begin(form, form.length - 1)
  leave = () => socket.destroy()
  socket.write(form.subarray(-1))
  t.equal(await isThere, true)
  formServer.operation = operation
  await nothingRemains(t)
})

void t.test('deletes uploads of processes that have ended at the start', async (t) => {
  const folder = temporaryFolder()
  const DEAD = 2 ** 22 + 1 // above the largest process id of Linux
  const leftover = (name: string, hours = 0): void => {
    mkdirSync(join(folder, name, randomUUID()), { recursive: true })
    writeFileSync(join(folder, name, 'file'), '')
    const at = Date.now() / 1000 - hours * 3600
    utimesSync(join(folder, name), at, at)
  }
  const nameOf = (host: string, processId: number): string => `${host}.${processId}.${randomUUID()}`
  const alive = nameOf(hostname(), process.ppid)
  const young = nameOf('elsewhere', 1)
  for (const processId of [DEAD, process.pid]) leftover(nameOf(hostname(), processId))
  for (const name of [alive, young]) leftover(name)
  leftover(nameOf('elsewhere', 2), 2)
  await openSpool(folder)
  t.same(readdirSync(folder).sort(), [young, alive].sort())
})
