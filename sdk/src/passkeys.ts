export { createPasskeys, type PasskeyLoginOptions, type PasskeyProof, type Passkeys } from './passkeys/client.ts'
export { isAutofillSupported, isSupported } from './passkeys/dialog.ts'
