import { LIMITS } from '../../../generated/limits.ts'
import { column, select } from '../../database/columns.ts'
import { NOW, query } from '../../database/query.ts'

/**
 * Returns the condition that a session `s` began recently in a network, also if it has ended: sessions are stored for longer.
 * It is a range, because an index serves `<<=` only if the network is constant.
 */
export function beganIn(network: string): string {
  return `s.address::inet BETWEEN host(network(${network}::inet))::inet AND host(broadcast(${network}::inet))::inet
    AND s.created_at > ${NOW} - interval '${LIMITS.login.known_network_days} days'`
}

export const IS_KNOWN = query(
  select<{ isKnown: boolean }>({ isKnown: column(`EXISTS (SELECT 1 FROM sessions s WHERE ${beganIn('$2')})`) }),
  (list) => `SELECT ${list}`,
  'is-known-network',
)
