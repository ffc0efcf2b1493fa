/**
 * Returns the number of rounds of a race test. The embedded database has one session, so its rounds differ little and
 * fewer are run. `RACE_ROUNDS` overrides the number, and `RACE_ROUNDS_MAX` bounds it.
 *
 * @param onServer the number of rounds on PostgreSQL
 */
export function raceRounds(onServer: number): number {
  const override = process.env['RACE_ROUNDS']
  if (override !== undefined) return Number(override)
  const rounds = process.env['DATABASE_URL'] === undefined ? Math.ceil(onServer / 5) : onServer
  return Math.min(rounds, Number(process.env['RACE_ROUNDS_MAX'] ?? Infinity))
}
