/** Selects how many seconds ago the password was proven on the session `s`: a member of the domain's SessionAge. */
export const AUTHENTICATION_AGE = `extract(epoch FROM now() - s.authenticated_at)::float8 AS "authenticationAgeSeconds"`
