const ACTIONS = ['reset', 'confirm', 'cancel', 'confirm-factor-reset', 'cancel-factor-reset'] as const

/** A link of an e-mail to a page of the application */
export type EmailLink = {
  /** The call that the page makes: see the README */
  action: (typeof ACTIONS)[number]
  token: string
}

/**
 * Reads a link of an e-mail.
 *
 * @param url the URL of the page or its fragment, such as `location.hash`
 * @returns undefined if there is no token, or an action that this version of the SDK does not know
 */
export function readLink(url: string): EmailLink | undefined {
  const read = (name: string): string | undefined => new RegExp(`#(?:.*[?&])?${name}=([\\w-]+)`).exec(url)?.[1]
  const token = read('token')
  const given = read('action') ?? 'reset' // links that set a new password have no action
  const action = ACTIONS.find((each) => each === given)
  return token === undefined || action === undefined ? undefined : { action, token }
}
