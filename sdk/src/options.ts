import type { Store, Session } from './session/stores.ts'

export type Language = 'ar' | 'en'

/** The part of `fetch` that the client uses */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type ClientOptions = {
  /** Where the service runs, for example `https://api.example.com` */
  url: string
  /** Stores the session. Default: `memoryStore()` */
  store?: Store
  /** An initial session, for example from server-side rendering */
  session?: Session
  /** Language of messages and lookups, or a function that returns it. Default: the browser's or the service's language */
  language?: Language | (() => Language)
  /** Replaces the global `fetch` */
  fetch?: Fetch
  /** Timeout of each request in milliseconds. Default: 30,000 */
  timeout?: number
}

export type Progress = {
  /** Bytes sent so far */
  loaded: number
  /** Bytes in total; 0 if unknown */
  total: number
}

export type CallOptions = {
  /** Aborts the call, which rejects with the code `aborted` */
  signal?: AbortSignal | undefined
  /** Language of the response */
  language?: Language | undefined
  /** Timeout of each request in milliseconds */
  timeout?: number | undefined
  /** Receives the progress of the upload, in browsers and React Native */
  onProgress?: ((progress: Progress) => void) | undefined
  /**
   * The `Idempotency-Key` of the request, for operations that take one. Default: 128 new random bits for each call. Set it to
   * continue an action whose call was lost, for example after a page was reloaded
   */
  idempotencyKey?: string | undefined
  /** Additional request headers, for example `If-Match` */
  headers?: Record<string, string> | undefined
}
