import type { Store, Session } from './stores.ts'

export type Language = 'ar' | 'en'

export type ClientOptions = {
  /** Where the service runs, for example `https://api.example.com` */
  url: string
  /** Where the session is kept. Default: in memory */
  store?: Store
  /** A session to begin with, for example one that a server-side renderer handed over */
  session?: Session
  /** Language of messages and names, or a function that returns it. Default: the choice of the browser or server */
  language?: Language | (() => Language)
  /** Replaces the global `fetch` */
  fetch?: typeof fetch
  /** Milliseconds until a request fails with `timeout`. Default: 30,000 */
  timeout?: number
}

export type Progress = {
  /** Bytes that have been sent */
  loaded: number
  /** Bytes to send; 0 if unknown */
  total: number
}

export type CallOptions = {
  /** Aborts the call, which then fails with `aborted` */
  signal?: AbortSignal | undefined
  /** Language of this response */
  language?: Language | undefined
  /** Milliseconds until each request of this call fails with `timeout` */
  timeout?: number | undefined
  /** Is called while the request is being sent, in browsers */
  onProgress?: ((progress: Progress) => void) | undefined
  /** Additional request headers, for example `If-Match` */
  headers?: Record<string, string> | undefined
}
