import { createCall, type Call, type WithResponse } from '../call.ts'
import type { Tawthiq } from '../client.ts'
import type { Body, Data, OperationId } from '../contract.ts'
import { PASSKEY_OPERATIONS } from '../generated/passkey-operations.ts'
import type { CallOperation } from '../operation.ts'
import type { CallOptions } from '../options.ts'
import { addOperations } from '../table.ts'
import { autofillPasskey, choosePasskey, createPasskey } from './dialog.ts'

export type PasskeyLoginOptions = CallOptions & {
  /** Offers passkeys among the suggestions of an input with `autocomplete="username webauthn"`, in place of a dialog */
  autofill?: boolean | undefined
}

type LoginIds = 'beginPasskeyLogin' | 'loginWithPasskey'
type ReauthenticationIds = 'beginPasskeyReauthentication' | 'reauthenticateWithPasskey'
type AdditionIds = 'beginPasskey' | 'addPasskey'

/** The passkeys of a client. Calls reject with a `TawthiqError`, or with a `PasskeyError` if the browser returns no passkey. */
export type Passkeys = {
  /** Logs in with a passkey that the user chooses, and stores the session. */
  login(options?: PasskeyLoginOptions): Call<Data<'loginWithPasskey'>, LoginIds>
  /** Confirms the identity of the user, as `auth.reauthenticate` does. */
  reauthenticate(options?: CallOptions): Call<Data<'reauthenticateWithPasskey'>, ReauthenticationIds>
  /** Lets the user choose a passkey, and returns it as the proof of a change of the second factors. */
  prove(options?: CallOptions): Promise<Required<Pick<Body<'beginPasskey'>, 'credential'>>>
  /** Creates a passkey and adds it to the account, with a proof of the identity of the user. */
  add(name: string, proof: Body<'beginPasskey'>, options?: CallOptions): Call<Data<'addPasskey'>, AdditionIds>
  rename(id: string, name: string, options?: CallOptions): Call<Data<'renamePasskey'>, 'renamePasskey'>
  /** Removes a passkey with a proof of the identity of the user, and lets the browser forget it. */
  remove(id: string, proof: Body<'removePasskey'>, options?: CallOptions): Call<Data<'removePasskey'>, 'removePasskey'>
}

/** Adds passkeys to a client. */
export function createPasskeys(tawthiq: Pick<Tawthiq, 'operation'>): Passkeys {
  addOperations(PASSKEY_OPERATIONS)
  const operation = tawthiq.operation as CallOperation<OperationId> // it calls what is in the table
  const ofPasskey = (id: string, options?: CallOptions): CallOptions & { path: { passkey_id: string } } => ({
    ...options,
    path: { passkey_id: id },
  })
  const confirmPasskey = (options: CallOptions): ReturnType<typeof choosePasskey> =>
    choosePasskey(() => operation('beginPasskeyReauthentication', undefined, options), options)
  return {
    login: ({ autofill, ...options }: PasskeyLoginOptions = {}) =>
      inSteps(async () => {
        const ask = autofill ? autofillPasskey : choosePasskey
        const credential = await ask(() => operation('beginPasskeyLogin', undefined, options), options)
        return operation('loginWithPasskey', { credential }, options).withResponse()
      }),
    reauthenticate: (options = {}) =>
      inSteps(async () => {
        const credential = await confirmPasskey(options)
        return operation('reauthenticateWithPasskey', { credential }, options).withResponse()
      }),
    prove: async (options = {}) => ({ credential: await confirmPasskey(options) }),
    add: (name, proof, options = {}) =>
      inSteps(async () => {
        const credential = await createPasskey(() => operation('beginPasskey', proof, options), options)
        return operation('addPasskey', { name, credential }, options).withResponse()
      }),
    rename: (id, name, options) => operation('renamePasskey', { name }, ofPasskey(id, options)),
    remove: (id, proof, options) =>
      inSteps(async () => {
        const removed = await operation('removePasskey', proof, ofPasskey(id, options)).withResponse()
        forget(removed.data)
        return removed
      }),
  }
}

function inSteps<D, Id extends OperationId>(run: () => Promise<WithResponse<D>>): Call<D, Id> {
  return createCall<D, Id>(run())
}

/** A function of WebAuthn Level 3 that TypeScript does not declare yet */
type Signals = { signalUnknownCredential?(credential: Data<'removePasskey'>): Promise<void> }

/** Tells the browser that the service no longer accepts a passkey. */
function forget(passkey: Data<'removePasskey'>): void {
  const { PublicKeyCredential: signals } = globalThis as { PublicKeyCredential?: Signals }
  signals?.signalUnknownCredential?.(passkey).catch(() => undefined) // the passkey is removed, with or without it
}
