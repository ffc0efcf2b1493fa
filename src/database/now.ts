/**
 * Returns the current time of the service.
 *
 * @param shiftSeconds the parameter with the number of seconds that its clock is ahead of the database
 */
export function nowSql(shiftSeconds: string): string {
  return `(now() + make_interval(secs => ${shiftSeconds}))`
}

/** The current time of the service. `$1` is the number of seconds that its clock is ahead of the database. */
export const NOW = nowSql('$1')
