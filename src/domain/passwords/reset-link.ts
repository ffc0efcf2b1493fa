/**
 * Adds a reset token to the fragment of a page's URL. Browsers do not send fragments to servers or in `Referer`.
 *
 * An existing fragment is preserved: if it is a client-side route (starting with `/` or `!`), the token becomes a
 * parameter of the route, as in `#/reset?token=…`; otherwise it becomes another member, as in `#a=1&token=…`.
 *
 * @returns only the token if there is no page
 */
export function buildResetLink(page: string | undefined, token: string): string {
  if (page === undefined) return token
  const url = new URL(page)
  const { route, parameters } = splitFragment(url.hash.slice(1))
  const others = parameters.split('&').filter((each) => each !== '' && !/^token(=|$)/.test(each))
  const all = [...others, `token=${token}`].join('&')
  url.hash = route === '' ? all : `${route}?${all}`
  return url.href
}

function splitFragment(fragment: string): { route: string; parameters: string } {
  if (!/^[/!]/.test(fragment)) return { route: '', parameters: fragment }
  const [route = '', ...parameters] = fragment.split('?')
  return { route, parameters: parameters.join('?') }
}
