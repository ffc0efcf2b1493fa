// Generated from openapi/ by `npm run generate`. Do not edit.

export const PASSKEY_OPERATIONS = {
  beginPasskeyLogin: 'POST /auth/login/passkey/options 345,passkeys_unavailable',
  loginWithPasskey: 'POST /auth/login/passkey 3456;<HJ,passkeys_unavailable jT',
  beginPasskeyReauthentication: 'POST /auth/reauthenticate/passkey/options 345789:,passkeys_unavailable t',
  reauthenticateWithPasskey: 'POST /auth/reauthenticate/passkey 3456789:;<,passkeys_unavailable jtT',
  beginPasskey: 'POST /auth/passkey-options 345789:=?O,passkeys_unavailable t',
  addPasskey: 'POST /auth/passkeys 3456789:;<=?O,passkeys_unavailable jt',
  renamePasskey: 'PUT /auth/passkeys/{passkey_id} 3456789:;<=,passkey_unknown jt',
  deletePasskey: 'DELETE /auth/passkeys/{passkey_id} 3456789:=,passkey_unknown t',
} as const
