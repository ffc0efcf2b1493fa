/**
 * Adds a reset token to the fragment of a page's URL, which browsers send to no server and name in no `Referer`.
 *
 * A fragment that the URL already has is kept: where it is a route of the page (it begins with `/` or `!`), the token
 * becomes a parameter of the route, as in `#/reset?token=…`; otherwise it becomes one more member, as in `#a=1&token=…`.
 */
export function resetLink(page: string, token: string): string {
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
