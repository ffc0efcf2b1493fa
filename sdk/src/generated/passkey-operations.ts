// Generated from openapi/ by `npm run generate`. Do not edit.

export const PASSKEY_OPERATIONS = {
  beginPasskeyLogin: 'POST /auth/login/passkey/options 456,passkeys_unavailable',
  loginWithPasskey: 'POST /auth/login/passkey 3456;<LM,passkeys_unavailable jT',
  beginPasskeyReauthentication: 'POST /auth/reauthenticate/passkey/options 456789:,passkeys_unavailable t',
  reauthenticateWithPasskey: 'POST /auth/reauthenticate/passkey 3456789:;<,passkeys_unavailable jtT',
  beginPasskey: 'POST /auth/passkey-options 456789:=E,verified_contact_required,passkeys_unavailable t',
  addPasskey: 'POST /auth/passkeys 3456789:;<=E,verified_contact_required,passkeys_unavailable jt',
  renamePasskey: 'PUT /auth/passkeys/{passkey_id} 3456789:;<=,passkey_unknown jt',
  deletePasskey: 'DELETE /auth/passkeys/{passkey_id} 3456789:=,passkey_unknown t',
} as const
