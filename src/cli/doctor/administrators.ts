import type { Config } from '../../config/index.ts'
import { column, query, queryOnlyRow } from '../../database/sql.ts'
import { onDatabase } from '../../database/index.ts'
import { HAS_VOUCHED_FACTOR, IS_ENABLED } from '../../store/factors/state.ts'
import { existingDatabase } from '../database.ts'
import { check, type CheckResult } from './result.ts'

type Found = Readonly<{ administrators: number; withoutFactor: number; isEnabled: boolean }>

const COUNT = query<Found>(
  {
    administrators: column('count(*)::int'),
    withoutFactor: column(`count(*) FILTER (WHERE NOT (${HAS_VOUCHED_FACTOR.sql}))::int`),
    isEnabled: column(IS_ENABLED),
  },
  (list) => `SELECT ${list} FROM accounts a WHERE a.is_admin AND a.status = 'active'`,
)

const GUIDE = 'see docs/operate.md#require-second-factors-of-administrators'

/** Checks whether the administrators have second factors, as far as the configuration or production needs them. */
export function checkAdministrators(config: Config): Promise<CheckResult> {
  return check('  administrators', async () => {
    const found = await onDatabase(existingDatabase(config), (client) => queryOnlyRow(client, COUNT))
    if (config.administratorsNeedFactor && !found.isEnabled) {
      throw new Error(
        `MFA_REQUIRED is set, but nobody can add a second factor: run admin enable-feature second-factors, ${GUIDE}`,
      )
    }
    const risk = describeRisk(found, config)
    if (risk !== undefined) return { warning: risk }
    return `${found.administrators}, of which ${found.administrators - found.withoutFactor} have a second factor`
  })
}

function describeRisk({ administrators, withoutFactor }: Found, config: Config): string | undefined {
  const { administratorsNeedFactor, isProduction } = config
  const count = `${withoutFactor} of ${administrators} have no second factor`
  if (administratorsNeedFactor && withoutFactor > 0)
    return `${count}, and cannot use their privileges: admin list names them, and admin enrollment-code prints the code that each needs`
  if (!administratorsNeedFactor && isProduction && administrators > 0)
    return `MFA_REQUIRED is not set, so that a password alone can be enough to act as an administrator: ${count}, ${GUIDE}`
  return undefined
}
