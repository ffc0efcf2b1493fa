/**
 * The owner of queued work: queues serve owners in turn, so that one cannot delay the others. `abandoned` aborts when the
 * client disconnects, and nobody waits for the result.
 */
export type Requester = Readonly<{ owner: string; abandoned?: AbortSignal | undefined }>

/** Authenticated work belongs to the account, wherever its requests come from. */
export function accountRequester(accountId: number, abandoned?: AbortSignal): Requester {
  return { owner: `account ${accountId}`, abandoned }
}

/** Work before authentication belongs to the network of the client, so that its order reveals nothing about accounts. */
export function networkRequester(network: string, abandoned?: AbortSignal): Requester {
  return { owner: `network ${network}`, abandoned }
}
