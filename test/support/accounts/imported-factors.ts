// Rows of imported accounts with second factors, in JSON lines.
import bcrypt from 'bcryptjs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { makeKeyFileIfMissing } from '../../../src/adapters/keys/key-file.ts'
import type { Site } from '../processes/import.ts'
import { createPasskey, type Passkey, type Reported } from './authenticator.ts'

export const OLD_PASSWORD = 'old horse battery'
const HASH = bcrypt.hashSync(OLD_PASSWORD, 4)

/** Returns the row of a client with a verified e-mail address, `<name>@example.org`. */
export function rowOf(name: string, more: object = {}): object {
  return {
    email: `${name}@example.org`,
    password_hash: HASH,
    phone_code: '966',
    phone: '0512345678',
    account_type: 'client',
    name,
    email_verified: true,
    ...more,
  }
}

export function jsonLines(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

/** Creates a passkey in another system. */
export function passkeyElsewhere(userHandle = randomHandle(), changes: Partial<Reported> = {}): Passkey {
  return createPasskey({ challenge: 'AAAA', rp: { id: 'localhost' }, user: { id: userHandle } }, changes).passkey
}

export function randomHandle(bytes = 64): string {
  return randomBytes(bytes).toString('base64url')
}

/** Returns a passkey as a member of a row. */
export function passkeyRow({ credentialId, publicKey, userHandle }: Passkey, more: object = {}): object {
  return {
    credential_id: credentialId,
    public_key: publicKey,
    user_handle: userHandle,
    rp_id: 'localhost',
    counter: 0,
    transports: ['internal', 'hybrid'],
    name: 'MacBook',
    backup_eligible: true,
    backed_up: true,
    ...more,
  }
}

/** Creates the key file of a site, which the first start of a service does. */
export function makeKeys({ environment }: Site): void {
  makeKeyFileIfMissing(join(environment.DATA_DIR, 'keys.json'))
}
