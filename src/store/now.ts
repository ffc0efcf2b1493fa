/** The time as the service believes it to be. `$1` is by how many seconds it is ahead of the database. */
export const NOW = `(now() + make_interval(secs => $1))`
