/** What has proven the first of the two requests that add a second factor: an established factor, or the password */
export type Begun = Readonly<{ byFactor: boolean }>

/** A passkey as its owner sees it */
export type ListedPasskey = Readonly<{
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
  backedUp: boolean
}>

/** A passkey as browsers identify it */
export type PasskeyDescriptor = Readonly<{ credentialId: Uint8Array<ArrayBuffer>; transports: readonly string[] }>

/** What an assertion is verified with */
export type StoredPasskey = PasskeyDescriptor &
  Readonly<{
    id: string
    publicKey: Uint8Array<ArrayBuffer>
    userHandle: Uint8Array<ArrayBuffer>
    counter: number
    backupEligible: boolean
  }>

/** A credential that an authenticator has created for an account */
export type NewPasskey = PasskeyDescriptor &
  Begun &
  Readonly<{
    userHandle: Uint8Array<ArrayBuffer>
    publicKey: Uint8Array<ArrayBuffer>
    counter: number
    aaguid: string
    relyingPartyId: string
    backupEligible: boolean
    backedUp: boolean
    challenge: UsedChallenge
  }>

/** A passkey that the service no longer accepts, as browsers identify it */
export type DeletedPasskey = Pick<NewPasskey, 'relyingPartyId' | 'credentialId'>

/** The hash of a challenge that is valid once, and the end of its validity */
export type UsedChallenge = Readonly<{ hash: Uint8Array<ArrayBuffer>; expiresAt: Date }>

/** A right assertion of a passkey, which the session that it proves has to use up */
export type PasskeyProof = Readonly<{
  method: 'passkey'
  passkeyId: string
  /** The signature counter to store; 0 if the authenticator has none or the passkey is backup eligible */
  counter: number
  backedUp: boolean
  challenge: UsedChallenge
}>
