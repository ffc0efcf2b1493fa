import { natives, toCreationOptions, toCredentialJson, toRequestOptions, type CredentialJson } from './json.ts'
import type { Schemas } from '../contract.ts'

/** The part of the validity of a challenge after which autofill begins with a new one */
const RENEWAL = 0.8

type Dialog = {
  signal?: AbortSignal | undefined
  /** Returns the error of an exception of the browser, or of a browser without passkeys. */
  failure: (exception?: unknown) => Error
}
type Running = { signal: AbortSignal; asked: (ask: () => Promise<Credential | null>) => Promise<CredentialJson> }

let running: AbortController | undefined

export function isSupported(): boolean {
  return 'PublicKeyCredential' in globalThis
}

export async function isAutofillSupported(): Promise<boolean> {
  if (!isSupported()) return false
  return (await natives().isConditionalMediationAvailable?.()) ?? false
}

/** Lets the user create a passkey. */
export async function createPasskey(
  begin: () => Promise<Schemas['PasskeyCreationOptions']>,
  dialog: Dialog,
): Promise<CredentialJson> {
  return inDialog(dialog, async ({ signal, asked }) => {
    const options = await begin()
    return asked(() => navigator.credentials.create({ publicKey: toCreationOptions(options), signal }))
  })
}

/** Lets the user choose a passkey. */
export async function choosePasskey(
  begin: () => Promise<Schemas['PasskeyRequestOptions']>,
  dialog: Dialog,
): Promise<CredentialJson> {
  return inDialog(dialog, async ({ signal, asked }) => {
    const options = await begin()
    return asked(() => navigator.credentials.get({ publicKey: toRequestOptions(options), signal }))
  })
}

/** Lets the user choose a passkey among the suggestions of an input, with a challenge that is renewed before it expires. */
export async function autofillPasskey(
  begin: () => Promise<Schemas['PasskeyRequestOptions']>,
  dialog: Dialog,
): Promise<CredentialJson> {
  return inDialog(dialog, async ({ signal, asked }) => {
    for (;;) {
      const options = await begin()
      const renewal = new AbortController()
      const end = (): void => renewal.abort()
      const timer = setTimeout(end, options.timeout * RENEWAL)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      const request = {
        mediation: 'conditional',
        publicKey: toRequestOptions(options),
        signal: renewal.signal,
      } as const
      try {
        return await asked(() => navigator.credentials.get(request))
      } catch (error) {
        if (signal.aborted || !renewal.signal.aborted) throw error
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
      }
      await visiblePage()
    }
  })
}

/** A browser has one dialog at a time, so another one of the page ends. */
async function inDialog<T>({ signal, failure }: Dialog, run: (running: Running) => Promise<T>): Promise<T> {
  if (!isSupported()) throw failure()
  running?.abort()
  const controller = new AbortController()
  running = controller
  const abort = (): void => controller.abort()
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  const asked: Running['asked'] = async (ask) => {
    try {
      return toCredentialJson((await ask()) as PublicKeyCredential) // the only kind that was asked for
    } catch (exception) {
      throw failure(exception)
    }
  }
  try {
    return await run({ signal: controller.signal, asked })
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Pages in the background send no requests for new challenges. */
function visiblePage(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) document.addEventListener('visibilitychange', () => resolve(), { once: true })
    else resolve()
  })
}
