// Uploads from clients that stop in the middle, disconnect early, or are not authorized.
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { storageHasTheRows, image } from '../../support/files/files.ts'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { rawExchange } from '../../support/servers/raw.ts'
import type { Form } from '../../support/service/sender.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const CUTS = 60
const WAIT_MS_MAX = 10_000
/** How long a request may take on a busy machine before it is cut off */
const SENDING_MS_MAX = 60_000

/** Returns an update as bytes: a head with its length, and a form. */
async function update(world: World, token: string, fields: Form, head: string[] = []): Promise<Buffer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const request = new Request('http://x/', { method: 'PUT', body: form })
  const body = Buffer.from(await request.arrayBuffer())
  const lines = [
    'PUT /api/v1/profile HTTP/1.1',
    'Host: x',
    `X-Forwarded-For: ${world.address}`,
    `Content-Type: ${request.headers.get('content-type') ?? ''}`,
    `Content-Length: ${body.length}`,
    `Authorization: Bearer ${token}`,
    ...head,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** Sends a number of bytes, and disconnects at once or a little later. */
function cutOff(world: World, bytes: Buffer, length: number, laterMs = 0): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(world.service.origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.write(bytes.subarray(0, length), () => setTimeout(() => socket.resetAndDestroy(), laterMs))
  })
}

/** Returns the statuses of the responses, up to one that ends the exchange. */
function statusesOf(world: World, bytes: Buffer): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(world.service.origin).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
      if (statuses.every((status) => status < 200)) return
      socket.destroy()
      resolve(statuses)
    })
    socket.on('error', reject)
    socket.write(bytes)
  })
}

function spooled({ service }: World): string[] {
  const folder = service.config.uploadsDirectory
  return readdirSync(folder).flatMap((own) => readdirSync(join(folder, own)))
}

async function until(t: Test, title: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS_MAX
  while (!(await isSo()) && Date.now() < deadlineMs) await sleep(10)
  t.ok(await isSo(), title)
}

void t.test('applies an interrupted update atomically, without leftovers', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const token = await person.token()
  const { prisma } = world.service.database
  const photo = new Blob([await image()])
  for (let cut = 0; cut < CUTS; cut++) {
    const marked = clientForm(person, { name: `cut ${cut}`, longitude: `${cut}`, profile_photo: photo })
    const bytes = await update(world, token, marked)
    await cutOff(world, bytes, cut % 4 === 0 ? bytes.length : randomInt(bytes.length), cut % 10)
  }
  await until(t, 'no temporary file remains', () => spooled(world).length === 0)
  const { name, longitude } = await prisma.profile.findUniqueOrThrow({ where: { accountId: person.id } })
  t.ok(name === 'سارة العتيبي' || name === `cut ${longitude}`, `${name}, ${longitude}`)
  await storageHasTheRows(t, world)
})

void t.test('audits updates of clients that disconnect before the response', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const { prisma } = world.service.database
  const token = await person.token()
  const events = (): Promise<{ event: string; address: string | null }[]> =>
    prisma.auditEvent.findMany({
      where: { accountId: person.id, event: { in: ['profile_updated', 'password_changed'] } },
      select: { event: true, address: true },
      orderBy: { id: 'asc' },
    })
  const bytes = await update(world, token, clientForm(person, { name: 'left', password: 'olive3kayak' }))
  const hasChanged = async (): Promise<boolean> =>
    (await prisma.profile.count({ where: { accountId: person.id, name: 'left' } })) > 0
  for (let laterMs = 1; laterMs < SENDING_MS_MAX && !(await hasChanged()); laterMs *= 2) {
    await cutOff(world, bytes, bytes.length, laterMs) // the system may discard bytes that the service has not read
  }
  t.ok(await hasChanged())
  const { address } = world
  const [updated, passwordChanged, ...more] = await events() // more: an earlier one that did arrive
  t.same(
    [updated, passwordChanged],
    [
      { event: 'profile_updated', address },
      { event: 'password_changed', address },
    ],
  )
  t.ok(more.every((event) => event.address === address))
})

void t.test('rejects a form of a revoked session before its body', async (t) => {
  const world = await openWorld()
  const token = await (await world.person()).token()
  await world.send('logout')({ token })
  const bytes = await update(world, token, clientForm({ email: 'x@example.org', phone: '0500000000' }))
  const received = await rawExchange(world.service.origin, bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4))
  t.equal(received.status, 401)
  t.equal(received.headers['error-code'], 'token_revoked')
})

void t.test('sends 100 Continue only for accepted requests', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const expect = ['Expect: 100-continue']
  const wanted = await update(world, await person.token(), clientForm(person), expect)
  t.same(await statusesOf(world, wanted), [100, 200])
  const refused = await update(world, 'no.good.token', clientForm(person), expect)
  t.same(await statusesOf(world, refused), [401])
})
