import type { FormSchema } from '../../../contract/forms/form-schema.ts'
import { LIMITS } from '../../../../generated/limits.ts'

export type Schema = FormSchema & { required: readonly string[]; properties: Readonly<Record<string, FormSchema>> }

/** Columns whose values are lists of objects, which CSV does not have */
export const JSON_COLUMNS: readonly string[] = ['passkeys']

const BASE64URL = '^([\\w-]{4})*([\\w-]{2,3})?$'
const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
/** 64 bytes (WebAuthn Level 3, section 5.4.3) in base64url */
const HANDLE_CHARACTERS_MAX = 86
/** More than an RSA key of 4,096 bits has in base64url */
const PUBLIC_KEY_CHARACTERS_MAX = 1024
/** Signature counters have 32 bits (WebAuthn Level 3, section 6.1). */
const COUNTER_MAX = 2 ** 32 - 1

/** Returns the columns of imports that registrations do not have. */
export function importColumns(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, object>> {
  return {
    password_hash: { type: 'string', pattern: '^(\\$tw1\\$)?\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}$' },
    phone_verified: { type: 'boolean' },
    email_verified: { type: 'boolean' },
    created_at: { type: 'string', format: 'date-time' },
    totp_secret: { type: 'string' },
    passkeys: { type: 'array', maxItems: LIMITS.passkeys.max, items: passkeySchema(schemas) },
  }
}

function passkeySchema({ AddPasskeyRequest, PasskeyDescriptor }: Readonly<Record<string, Schema>>): object {
  const { name } = AddPasskeyRequest?.properties ?? {}
  const { id, transports } = PasskeyDescriptor?.properties ?? {}
  if (!name || !id || !transports) throw new Error('the document has no such passkeys')
  const properties = {
    credential_id: { ...id, ...base64url() },
    public_key: base64url(PUBLIC_KEY_CHARACTERS_MAX),
    user_handle: base64url(HANDLE_CHARACTERS_MAX),
    rp_id: { type: 'string' },
    counter: { type: 'integer', minimum: 0, maximum: COUNTER_MAX },
    transports,
    name,
    backup_eligible: { type: 'boolean' },
    backed_up: { type: 'boolean' },
  }
  const optional = {
    aaguid: { type: ['string', 'null'], pattern: UUID },
    created_at: { type: ['string', 'null'], format: 'date-time' },
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  }
}

function base64url(maxLength?: number): object {
  return { type: 'string', minLength: 2, pattern: BASE64URL, ...(maxLength !== undefined && { maxLength }) }
}
