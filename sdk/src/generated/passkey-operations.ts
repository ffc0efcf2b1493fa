// Generated from openapi/ by `npm run generate`. Do not edit.

export const PASSKEY_OPERATIONS = {
  beginPasskeyLogin: 'POST /auth/login/passkey/options 456,passkeys_unavailable',
  loginWithPasskey: 'POST /auth/login/passkey 3456;<MN,passkeys_unavailable jT',
  beginPasskeyReauthentication: 'POST /auth/reauthenticate/passkey/options 456789:,passkeys_unavailable t',
  reauthenticateWithPasskey: 'POST /auth/reauthenticate/passkey 3456789:;<,passkeys_unavailable jtT',
  addPasskey: 'POST /auth/passkeys 3456789:;<=F,verified_contact_required,passkeys_unavailable jt',
  beginPasskey: 'POST /auth/passkeys/options 3456789:;<=FI,verified_contact_required,passkeys_unavailable jt',
  renamePasskey: 'PUT /auth/passkeys/{passkey_id} 3456789:;<=,passkey_unknown jt',
  removePasskey: 'POST /auth/passkeys/{passkey_id}/remove 3456789:;<=FI,passkey_unknown,passkeys_unavailable jt',
} as const
