/**
 * Adds a reset token to the fragment of a page's URL, which browsers send to no server and name in no `Referer`.
 *
 * A fragment that the URL already has is kept: where it is a route of the page (it begins with `/` or `!`), the token
 * becomes a parameter of the route, as in `#/reset?token=…`; otherwise it becomes one more member, as in `#a=1&token=…`.
 *
 * @returns the token alone if there is no page
 */
export function resetLink(page: string | undefined, token: string): string {
  if (page === undefined) return token
  const url = new URL(page)
  const { route, parameters } = partsOf(url.hash.slice(1))
  const others = parameters.split('&').filter((each) => each !== '' && !/^token(=|$)/.test(each))
  const all = [...others, `token=${token}`].join('&')
  url.hash = route === '' ? all : `${route}?${all}`
  return url.href
}

function partsOf(fragment: string): { route: string; parameters: string } {
  if (!/^[/!]/.test(fragment)) return { route: '', parameters: fragment }
  const [route = '', ...parameters] = fragment.split('?')
  return { route, parameters: parameters.join('?') }
}
