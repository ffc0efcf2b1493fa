// Whatever a hostile client sends in place of a passkey, the operation returns its own error, and the service continues.
import t from 'tap'
import {
  AFTER_OTHERS,
  ASSERTIONS,
  MALFORMED,
  MALFORMED_ASSERTIONS,
  MALFORMED_ATTESTATIONS,
} from '../../support/passkeys/hostile-assertions.ts'
import { ATTESTATIONS, KEYS } from '../../support/passkeys/hostile-attestations.ts'
import { CLIENT_DATA, type Foreign } from '../../support/passkeys/hostile-client-data.ts'
import {
  ALGORITHMS,
  assertion,
  attestation,
  attestationObject,
  newKeyPair,
  usualClientData,
  type Change,
  type ClientData,
  type KeyPair,
} from '../../support/passkeys/parts.ts'
import type { Received } from '../../support/service/responses.ts'
import type { Sent } from '../../support/service/sender.ts'
import { openWorld, sharedService, type World } from '../../support/service/world.ts'

const HOSTILE_MIN = 64
const EXPIRED_MS = 301_000
const SHARED_ROUNDS = 6

const service = await sharedService()
const { prisma } = service.database

const OPERATIONS = ['loginWithPasskey', 'reauthenticateWithPasskey', 'addPasskey'] as const
type Operation = (typeof OPERATIONS)[number]

/** The error of an operation for a passkey that is wrong, in whatever way */
const WRONG: Readonly<Record<Operation, unknown>> = {
  loginWithPasskey: [401, 'credentials_wrong', undefined],
  reauthenticateWithPasskey: [422, 'invalid_data', { credential: ['passkey_wrong'] }],
  addPasskey: [422, 'invalid_data', { credential: ['passkey_wrong'] }],
}

type Account = Readonly<{ accountId: number; sessionId: string; token: string }>
type Owner = Account & Readonly<{ pair: KeyPair & { userHandle: string } }>

async function newAccount(world: World): Promise<Account> {
  const person = await world.person()
  const token = await person.token()
  const { id: sessionId } = await prisma.session.findFirstOrThrow({ where: { accountId: person.id } })
  return { accountId: person.id, sessionId, token }
}

/** Adds a passkey that the test can sign with. */
async function newOwner(world: World, made: Change = {}, pair = newKeyPair()): Promise<Owner> {
  const account = await newAccount(world)
  const { challenge, userHandle } = challengeOf('addPasskey', account)
  const credential = attestation(pair, usualClientData('webauthn.create', challenge), made)
  const { status, body } = await world.send('addPasskey')({ token: account.token, json: { name: 'Key', credential } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { ...account, pair: { ...pair, userHandle } }
}

/** Issues a challenge without a request, because requests for challenges are limited. */
function challengeOf(id: Operation, { accountId, sessionId }: Account): { challenge: string; userHandle: string } {
  const { passkeys } = service.app.context
  if (!passkeys) throw new Error('passkeys are not configured')
  if (id === 'addPasskey') {
    const owner = { email: 'owner@example.org', userHandle: undefined, passkeys: [], byFactor: false }
    const { challenge, user } = passkeys.creationOptions({ action: 'add', accountId, sessionId }, owner)
    return { challenge, userHandle: user.id }
  }
  const own = { action: 'reauthenticate', accountId, sessionId } as const
  const { challenge } = passkeys.requestOptions(id === 'loginWithPasskey' ? 'login' : own)
  return { challenge, userHandle: '' }
}

/** Returns the request of an operation with the credential of an account, as a hostile client changes it. */
function requestOf(id: Operation, owner: Owner, change: Change = {}): Sent {
  const { challenge } = challengeOf(id, owner)
  if (id === 'addPasskey') {
    const credential = attestation(newKeyPair(), usualClientData('webauthn.create', challenge), change)
    return { token: owner.token, json: { name: 'Key', credential } }
  }
  const credential = assertion(owner.pair, usualClientData('webauthn.get', challenge), change)
  return { json: { credential }, ...(id !== 'loginWithPasskey' && { token: owner.token }) }
}

/** Returns challenges that are valid for another request, or were. */
function foreignChallenges(id: Operation, world: World, owner: Owner, other: Owner): Foreign {
  const another = id === 'loginWithPasskey' ? 'reauthenticateWithPasskey' : 'loginWithPasskey'
  const ofAnAccount = id === 'loginWithPasskey' ? 'addPasskey' : id // a challenge of a login belongs to no account
  world.wait(-EXPIRED_MS)
  const expired = challengeOf(id, owner).challenge
  world.wait(EXPIRED_MS)
  return {
    expired,
    'of another operation': challengeOf(another, owner).challenge,
    'of another account': challengeOf(ofAnAccount, other).challenge,
    'of a session': challengeOf(ofAnAccount, { ...owner, sessionId: other.sessionId }).challenge,
  }
}

/** Returns the changes of client data. */
function clientDataChanges(foreign: Foreign): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(CLIENT_DATA).map(([name, hostile]) => {
      const parts: Change['parts'] = ({ clientData }) => {
        const data = hostile(JSON.parse(clientData.toString()) as ClientData, foreign)
        return { clientData: Buffer.isBuffer(data) ? data : Buffer.from(JSON.stringify(data)) }
      }
      return [name, { parts }]
    }),
  )
}

const OWN_CHANGES: Readonly<Record<Operation, Readonly<Record<string, Change>>>> = {
  loginWithPasskey: ASSERTIONS,
  reauthenticateWithPasskey: ASSERTIONS,
  addPasskey: { ...ATTESTATIONS, ...KEYS },
}
const MALFORMED_CHANGES: typeof OWN_CHANGES = {
  loginWithPasskey: { ...MALFORMED, ...MALFORMED_ASSERTIONS },
  reauthenticateWithPasskey: { ...MALFORMED, ...MALFORMED_ASSERTIONS },
  addPasskey: { ...MALFORMED, ...MALFORMED_ATTESTATIONS },
}

const outcomeOf = ({ status, headers, body }: Received): unknown => [
  status,
  headers['error-code'],
  (body.data as { codes?: unknown } | null)?.codes,
]

/** Sends from an address of its own, and for an account of its own where an account has few requests. */
async function send(id: Operation, given: Owner, change: Change): Promise<Received> {
  const world = await openWorld(service)
  const owner = id === 'addPasskey' ? { ...given, ...(await newAccount(world)) } : given
  return world.send(id)(requestOf(id, owner, change))
}

for (const id of OPERATIONS) {
  void t.test(`${id} rejects whatever is no passkey with its own error`, async (t) => {
    const world = await openWorld(service)
    const [owner, other] = [await newOwner(world), await newOwner(world)]
    const changes = { ...clientDataChanges(foreignChallenges(id, world, owner, other)), ...OWN_CHANGES[id] }
    const malformed = Object.entries(MALFORMED_CHANGES[id])
    t.ok(Object.keys(changes).length >= HOSTILE_MIN, `${Object.keys(changes).length} of them`)
    for (const [name, change] of Object.entries(changes))
      t.same(outcomeOf(await send(id, owner, change)), WRONG[id], name)
    for (const [name, change] of malformed) {
      const { status, body } = await send(id, owner, change)
      const [field = ''] = Object.keys((body.data as { codes?: object } | null)?.codes ?? {})
      t.ok(status === 422 && field.startsWith('credential'), `${name}: ${status} ${field}`)
    }
    t.equal(
      (await world.send(id)(requestOf(id, owner))).status,
      id === 'addPasskey' ? 201 : 200,
      'a right one is still accepted',
    )
  })
}

for (const id of ['loginWithPasskey', 'reauthenticateWithPasskey'] as const) {
  for (const [name, { made, used }] of Object.entries(AFTER_OTHERS)) {
    void t.test(`${id} rejects ${name}`, async (t) => {
      const owner = await newOwner(await openWorld(service), made)
      t.same(outcomeOf(await send(id, owner, used)), WRONG[id])
    })
  }
}

void t.test('accepts a challenge of a login once when two accounts use it at the same time', async (t) => {
  for (let round = 0; round < SHARED_ROUNDS; round++) {
    const world = await openWorld(service)
    const owner = await newOwner(world)
    const owners = [owner, await newOwner(world)]
    const clientData = usualClientData('webauthn.get', challengeOf('loginWithPasskey', owner).challenge)
    const received = await Promise.all(
      owners.map(({ pair }) => world.send('loginWithPasskey')({ json: { credential: assertion(pair, clientData) } })),
    )
    const [first, second] = received.toSorted((one, other) => one.status - other.status)
    t.equal(first?.status, 200)
    t.same(second && outcomeOf(second), WRONG.loginWithPasskey)
  }
})

void t.test('accepts keys of each algorithm that it asks for', async (t) => {
  for (const algorithm of ALGORITHMS) {
    const owner = await newOwner(await openWorld(service), {}, newKeyPair(algorithm))
    t.equal((await send('loginWithPasskey', owner, {})).status, 200, algorithm)
  }
})

void t.test('ignores what follows an attestation object', async (t) => {
  const object = (data: Buffer): Buffer => Buffer.concat([attestationObject(data), Buffer.from([0])])
  const owner = await newOwner(await openWorld(service), { object })
  t.equal((await send('loginWithPasskey', owner, {})).status, 200)
})

void t.test('rejects a request that contains a member twice', async (t) => {
  const world = await openWorld(service)
  const owner = await newOwner(world)
  const whole = JSON.stringify(requestOf('loginWithPasskey', owner).json)
  for (const [name, raw] of Object.entries({
    credential: `{"credential":{},${whole.slice(1)}`,
    id: whole.replace('"id":', '"id":"AAAA","id":'),
    signature: whole.replace('"signature":', '"signature":"AAAA","signature":'),
  })) {
    const received = await world.send('loginWithPasskey')({ raw, type: 'application/json' })
    t.match(outcomeOf(received), [400, 'malformed_request'], name)
  }
})
