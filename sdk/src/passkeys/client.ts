import { createCall, type Call, type WithResponse } from '../call.ts'
import type { Tawthiq } from '../client.ts'
import type { Body, Data, OperationId } from '../contract.ts'
import { PASSKEY_OPERATIONS } from '../generated/passkey-operations.ts'
import type { CallOperation } from '../operation.ts'
import type { CallOptions } from '../options.ts'
import { addOperations } from '../table.ts'
import { autofillPasskey, choosePasskey, createPasskey } from './dialog.ts'
import { passkeyError } from './error.ts'

export type PasskeyLoginOptions = CallOptions & {
  /** Offers passkeys among the suggestions of an input with `autocomplete="username webauthn"`, in place of a dialog */
  autofill?: boolean | undefined
}

type LoginIds = 'beginPasskeyLogin' | 'loginWithPasskey'
type ProofIds = 'beginPasskeyReauthentication'
type ReauthenticationIds = ProofIds | 'reauthenticateWithPasskey'
type AdditionIds = 'beginPasskey' | 'addPasskey'
type AnyDialogId = Parameters<typeof passkeyError>[0]

/** A proof of the identity of the user, by a passkey */
export type PasskeyProof = Required<Pick<Body<'beginPasskey'>, 'credential'>>

/** The passkeys of a client. If the browser returns no passkey, the error has a `PasskeyErrorCode` or is `aborted`. */
export type Passkeys = {
  /** Logs in with a passkey that the user chooses, and stores the session. */
  login(options?: PasskeyLoginOptions): Call<Data<'loginWithPasskey'>, LoginIds>
  /** Confirms the identity of the user, as `auth.reauthenticate` does. */
  reauthenticate(options?: CallOptions): Call<Data<'reauthenticateWithPasskey'>, ReauthenticationIds>
  /** Lets the user choose a passkey, and returns it as the proof of a change of the second factors. */
  prove(options?: CallOptions): Call<PasskeyProof, ProofIds>
  /** Creates a passkey and adds it to the account, with a proof of the identity of the user. */
  add(name: string, proof: Body<'beginPasskey'>, options?: CallOptions): Call<Data<'addPasskey'>, AdditionIds>
  rename(id: string, name: string, options?: CallOptions): Call<Data<'renamePasskey'>, 'renamePasskey'>
  /** Removes a passkey with a proof of the identity of the user, and lets the browser forget it. */
  remove(id: string, proof: Body<'removePasskey'>, options?: CallOptions): Call<Data<'removePasskey'>, 'removePasskey'>
}

/** Adds passkeys to a client. */
export function createPasskeys(tawthiq: Pick<Tawthiq, 'operation' | 'languageOf'>): Passkeys {
  addOperations(PASSKEY_OPERATIONS)
  const operation = tawthiq.operation as CallOperation<OperationId> // it calls what is in the table
  const ofPasskey = (id: string, options?: CallOptions): CallOptions & { path: { passkey_id: string } } => ({
    ...options,
    path: { passkey_id: id },
  })
  const dialogOf = (id: AnyDialogId, options: CallOptions): Parameters<typeof choosePasskey>[1] => ({
    signal: options.signal,
    failure: (exception) => passkeyError(id, tawthiq.languageOf(options), exception),
  })
  const prove = (options: CallOptions = {}): Call<PasskeyProof, ProofIds> =>
    inSteps(async () => {
      const id = 'beginPasskeyReauthentication'
      let response: unknown
      const begin = async (): Promise<Data<ProofIds>> => {
        const begun = await operation(id, undefined, options).withResponse()
        response = begun.response
        return begun.data
      }
      const credential = await choosePasskey(begin, dialogOf(id, options))
      return { data: { credential }, response: response as Response } // the dialog has begun
    })
  return {
    login: ({ autofill, ...options }: PasskeyLoginOptions = {}) =>
      inSteps(async () => {
        const id = 'beginPasskeyLogin'
        const ask = autofill ? autofillPasskey : choosePasskey
        const credential = await ask(() => operation(id, undefined, options), dialogOf(id, options))
        return operation('loginWithPasskey', { credential }, options).withResponse()
      }),
    reauthenticate: (options = {}) =>
      inSteps(async () => operation('reauthenticateWithPasskey', await prove(options), options).withResponse()),
    prove,
    add: (name, proof, options = {}) =>
      inSteps(async () => {
        const id = 'beginPasskey'
        const credential = await createPasskey(() => operation(id, proof, options), dialogOf(id, options))
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
