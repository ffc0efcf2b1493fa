/** Returns whether two access tokens belong to one account. The service verifies tokens, this only compares them. */
export function isSameAccount(one: string, other: string): boolean {
  return subjectOf(one) === subjectOf(other)
}

/** Returns the account in an access token; the whole token if it has another format. */
function subjectOf(token: string): unknown {
  try {
    const payload = token.split('.')[1] ?? ''
    return (JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: unknown }).sub
  } catch {
    return token
  }
}
