/**
 * The owner of queued work. Queues serve owners in turn, so one cannot delay the others. `abandoned` aborts when the
 * client disconnects.
 */
export type Requester = Readonly<{ owner: string; abandoned?: AbortSignal | undefined }>

/** Authenticated work belongs to the account, whatever its network. */
export function accountRequester(accountId: number, abandoned?: AbortSignal): Requester {
  return { owner: `account ${accountId}`, abandoned }
}

/** Work before authentication belongs to the network of the client, so that queueing reveals nothing about accounts. */
export function networkRequester(network: string, abandoned?: AbortSignal): Requester {
  return { owner: `network ${network}`, abandoned }
}
