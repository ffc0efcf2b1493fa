export { createPasskeys, type PasskeyLoginOptions, type Passkeys } from './passkeys/client.ts'
export { isAutofillSupported, isSupported } from './passkeys/dialog.ts'
export { isPasskeyError, PasskeyError, type PasskeyErrorCode } from './passkeys/error.ts'
