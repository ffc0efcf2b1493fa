/**
 * Returns how often a race is run. The embedded database has one session, so that few of its rounds differ; `RACE_ROUNDS`
 * sets the number by hand.
 *
 * @param onServer the rounds on PostgreSQL
 */
export function raceRounds(onServer: number): number {
  const given = process.env['RACE_ROUNDS']
  if (given !== undefined) return Number(given)
  return process.env['DATABASE_URL'] === undefined ? Math.ceil(onServer / 5) : onServer
}
