/** The current time of the service. `$1` is the number of seconds that its clock is ahead of the database. */
export const NOW = `(now() + make_interval(secs => $1))`
