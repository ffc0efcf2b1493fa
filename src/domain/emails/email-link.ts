import { buildResetLink } from '../passwords/reset-link.ts'

/**
 * Adds a token and an action to the fragment of a page's URL, for example `#token=…&action=cancel`.
 *
 * @returns only the token if there is no page
 */
export function buildEmailLink(
  page: string | undefined,
  token: string,
  action: 'confirm' | 'cancel' | 'undo-reset',
): string {
  return page === undefined ? token : `${buildResetLink(page, token)}&action=${action}`
}
