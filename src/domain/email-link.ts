import { resetLink } from './reset-link.ts'

/**
 * Adds a token to the fragment of a page's URL, as for a new password, and what the page does with it, as in
 * `#token=…&action=cancel`.
 *
 * @returns the token alone if there is no page
 */
export function emailLink(page: string | undefined, token: string, action: 'confirm' | 'cancel'): string {
  return page === undefined ? token : `${resetLink(page, token)}&action=${action}`
}
