import type { ErrorCode } from './failure.ts'

/** A key and the request that it was sent with, as keyed hashes: neither can be read from them. */
export type RequestIdentity = Readonly<{
  /** Identifies the operation, the caller and the key */
  id: string
  /** Identifies the key and the content of the request */
  fingerprint: string
}>

/** The right of a running request to store its outcome. It ends when another request takes the key over. */
export type Claim = Readonly<{ id: string; token: string }>

/** What a retry gets again. A success has no error code. */
export type Outcome = Readonly<{
  errorCode?: ErrorCode | undefined
  retryAfterSeconds?: number | undefined
  /** The session that a registration began */
  sessionId?: string | undefined
  /** The sealed data of the response */
  data?: Uint8Array | undefined
}>

/** Stores the outcome of a change in its transaction. `toData` seals the data of the response. */
export type Completion<Result> = Readonly<{ claim: Claim; toData: (result: Result) => Uint8Array }>

/**
 * The state of a key for a request. `reused`: it was sent with another content. `interrupted`: the request that claimed
 * it was killed and may have sent a message.
 */
export type KeyState =
  | Readonly<{ state: 'claimed'; claim: Claim }>
  | Readonly<{ state: 'finished'; outcome: Outcome }>
  | Readonly<{ state: 'running' | 'reused' | 'interrupted' }>
