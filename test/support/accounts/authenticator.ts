// An authenticator in software, written without the library of the service (WebAuthn Level 3, section 6).
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Case } from '../cases/contract.ts'
import { bytes, int, map, text, uint16 } from '../passkeys/cbor.ts'
import type { Sent } from '../service/sender.ts'
import type { Person, World } from '../service/world.ts'
import { BY_PASSWORD } from './second-factors.ts'

export const ORIGIN = 'http://localhost'

/** What an authenticator reports, unless a test changes it */
export type Reported = Readonly<{
  origin: string
  rpId: string
  userVerified: boolean
  /** BE */
  backupEligible: boolean
  /** BS */
  backedUp: boolean
  counter: number
  challenge: string
  userHandle: string
}>

export type Assertion = { id: string; type: 'public-key'; response: Record<string, string> }
export type Attestation = { id: string; type: 'public-key'; response: Record<string, unknown> }

export type Passkey = Readonly<{
  credentialId: string
  userHandle: string
  /** COSE_Key, base64url */
  publicKey: string
  /** Signs the options of a request. */
  get(options: RequestOptions, changes?: Partial<Reported>): Assertion
}>

export type RequestOptions = { challenge: string; rpId: string }
export type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }

/** Creates a passkey, and its credential for the service. */
export function createPasskey(
  { challenge, rp, user }: CreationOptions,
  changes: Partial<Reported> = {},
  { credentialId = randomBytes(32).toString('base64url') }: Partial<Pick<Passkey, 'credentialId'>> = {},
): { passkey: Passkey; credential: Attestation } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = Buffer.from(credentialId, 'base64url')
  const made = { ...DEFAULTS, rpId: rp.id, challenge, userHandle: user.id, ...changes }
  const cose = coseKey(publicKey)
  const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, cose])
  const authData = Buffer.concat([authenticatorData(made, ATTESTED), attested])
  const clientDataJSON = clientData('webauthn.create', made)
  const attestationObject = map(text('fmt'), text('none'), text('attStmt'), map(), text('authData'), bytes(authData))
  return {
    passkey: passkeyOf({ credentialId, publicKey: cose.toString('base64url'), privateKey, made }),
    credential: {
      id: credentialId,
      type: 'public-key',
      response: {
        clientDataJSON,
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    },
  }
}

type Made = { credentialId: string; publicKey: string; privateKey: KeyObject; made: Reported }

function passkeyOf({ credentialId, publicKey, privateKey, made }: Made): Passkey {
  return {
    credentialId,
    publicKey,
    userHandle: made.userHandle,
    get({ challenge, rpId }, changes = {}) {
      const used = { ...made, rpId, challenge, ...changes }
      const clientDataJSON = clientData('webauthn.get', used)
      const data = authenticatorData(used)
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
      const response = {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: used.userHandle,
      }
      return { id: credentialId, type: 'public-key', response }
    },
  }
}

const DEFAULTS = { origin: ORIGIN, userVerified: true, backupEligible: true, backedUp: true, counter: 0 }

const ATTESTED = 0x40

/** Section 6.1 */
function authenticatorData({ rpId, userVerified, backupEligible, backedUp, counter }: Reported, more = 0): Buffer {
  const flags = 0x01 | (userVerified ? 0x04 : 0) | (backupEligible ? 0x08 : 0) | (backedUp ? 0x10 : 0) | more
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count])
}

function clientData(type: string, { challenge, origin }: Reported): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
}

/** An EC2 key with ES256 (RFC 9053) */
export function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = [x, y].map((part) => bytes(Buffer.from(part, 'base64url')))
  const [X = bytes(Buffer.alloc(0)), Y = X] = point
  return map(int(1), int(2), int(3), int(-7), int(-1), int(1), int(-2), X, int(-3), Y)
}

export function sha256(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}

/** Begins to add a passkey, and creates it. */
export async function newPasskey(
  world: World,
  token: string,
  changes: Partial<Reported> = {},
  proof: object = BY_PASSWORD.json,
): Promise<{ passkey: Passkey; json: { name: string; credential: Attestation } }> {
  const { body } = await world.send('beginPasskey')({ token, json: proof })
  const { passkey, credential } = createPasskey(body.data as CreationOptions, changes)
  return { passkey, json: { name: 'MacBook', credential } }
}

export type PasskeyOwner = Readonly<{
  passkey: Passkey
  /** The id of the passkey in the service */
  id: string
  /** The session that has added it */
  token: string
  email: string
  accountId: number
  recoveryCodes: readonly string[]
}>

/** Creates a person with a passkey. */
export async function passkeyOwner(
  world: World,
  changes: Partial<Reported> = {},
  given?: Person,
): Promise<PasskeyOwner> {
  const person = given ?? (await world.person())
  const token = await person.token()
  const { passkey, json } = await newPasskey(world, token, changes)
  const { status, body } = await world.send('addPasskey')({ token, json })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const data = body.data as { passkey: { id: string }; recovery_codes: string[] }
  return {
    passkey,
    id: data.passkey.id,
    token,
    email: person.email,
    accountId: person.id,
    recoveryCodes: data.recovery_codes,
  }
}

/** Signs a new challenge of a login. */
export async function loginAssertion(
  world: World,
  passkey: Passkey,
  changes: Partial<Reported> = {},
): Promise<{ credential: Assertion }> {
  const { body } = await world.send('beginPasskeyLogin')({})
  return { credential: passkey.get(body.data as RequestOptions, changes) }
}

/** Signs a new challenge of a reauthentication. */
export async function reauthenticationAssertion(
  world: World,
  { passkey, token }: Pick<PasskeyOwner, 'passkey' | 'token'>,
  changes: Partial<Reported> = {},
): Promise<{ credential: Assertion }> {
  const { body } = await world.send('beginPasskeyReauthentication')({ token })
  return { credential: passkey.get(body.data as RequestOptions, changes) }
}

/** The request that adds a new passkey in the newest session of a person. It is signed when it is sent. */
export async function additionRequest(
  { service }: World,
  { id: accountId, email }: Person,
): Promise<{ json: { name: string; credential: Attestation } }> {
  const newest = { where: { accountId }, orderBy: { createdAt: 'desc' } } as const
  const { id: sessionId } = await service.database.prisma.session.findFirstOrThrow(newest)
  const { passkeys } = service.app.context
  if (!passkeys) throw new Error('passkeys are not configured')
  const owner = { email, userHandle: undefined, passkeys: [], byFactor: false }
  return {
    json: {
      name: 'MacBook',
      get credential() {
        return createPasskey(passkeys.creationOptions({ action: 'add', accountId, sessionId }, owner)).credential
      },
    },
  }
}

/** Stores a passkey with a random key for an account that has another factor. Returns its id. */
export async function storePasskey({ service }: World, { id: accountId }: Pick<Person, 'id'>): Promise<string> {
  const random = new Uint8Array(randomBytes(32))
  const technical = {
    credentialId: random,
    userHandle: random,
    publicKey: random,
    relyingPartyId: 'localhost',
    aaguid: AAGUID,
  }
  const { id } = await service.database.prisma.passkey.create({
    data: { accountId, name: 'MacBook', backupEligible: false, backedUp: false, ...technical },
  })
  return id
}

/** A well-formed assertion of no account */
export const UNKNOWN = {
  id: 'AAAA',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
}

/** Returns the case of a service without a configured domain of passkeys. */
export function unconfigured(sent: Sent = {}): Case {
  return async (send, world, t) => {
    const { context } = world.service.app
    const { passkeys } = context
    const token = await (await world.person()).token()
    context.passkeys = undefined
    try {
      const received = await send({ token, ...sent })
      t.equal(received.headers['error-code'], 'passkeys_unavailable')
      return received
    } finally {
      context.passkeys = passkeys
    }
  }
}

const AAGUID = '00000000-0000-0000-0000-000000000000'
