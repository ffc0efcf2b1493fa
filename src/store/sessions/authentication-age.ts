import { column, type Columns } from '../../database/columns.ts'
import type { SessionAge } from '../../domain/sessions/recent-authentication.ts'

/** The seconds since the password was last verified in the session `s` */
export const AUTHENTICATION_AGE: Columns<SessionAge> = {
  authenticationAgeSeconds: column(`extract(epoch FROM now() - s.authenticated_at)::float8`),
}
