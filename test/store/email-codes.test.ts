// Tries of an e-mail code that arrive while another message with it is prepared.
import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { LIMITS } from '../../generated/limits.ts'
import { skipWithoutServer as skip } from '../support/service/database-proxy.ts'
import { untilBlocked } from '../support/service/blocked.ts'
import { openWorld } from '../support/service/world.ts'

const TRIES = 8
const MINUTE_MS = 60_000
const auditContext = { subject: null, address: null, requestId: null }

void t.test('counts tries that arrive while the next message is prepared', { skip }, async (t) => {
  const world = await openWorld()
  const { database, app } = world.service
  const { emailVerifications } = app.context.store
  const person = await world.person()
  await database.prisma.account.update({ where: { id: person.id }, data: { pendingEmail: `new-${person.email}` } })
  const { id: sessionId } = await database.prisma.session.create({ data: { accountId: person.id, address: '::1' } })
  const bearer = { accountId: person.id, sessionId }
  const begin = (prepare: () => Promise<unknown>): Promise<unknown> =>
    emailVerifications.begin(
      { ...bearer, email: `new-${person.email}` },
      { newWindowId: randomUUID(), tokenHash: randomBytes(32) },
      { auditContext, request: undefined, toMail: () => prepare().then(() => undefined) },
    )
  let compared = 0
  const guess = async (): Promise<void> => {
    const counted = await emailVerifications.countTry(bearer)
    if (counted && 'windowId' in counted) compared++
  }

  await begin(() => Promise.resolve())
  world.wait(MINUTE_MS + 1000)
  let racing: Promise<unknown> = Promise.resolve()
  await begin(() => {
    racing = Promise.all(Array.from({ length: TRIES }, guess))
    return Promise.race([racing, untilBlocked(database.pool)])
  })
  await racing
  for (let tries = 0; tries < TRIES; tries++) await guess()
  t.ok(compared <= LIMITS.email.wrong_per_window, `${compared} tries were compared with the code`)
})
