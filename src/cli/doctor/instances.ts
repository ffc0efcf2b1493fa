import { systemClock } from '../../adapters/clock.ts'
import { fingerprintsOf } from '../../adapters/keys/fingerprints.ts'
import { parseKeyFile } from '../../adapters/keys/index.ts'
import type { Config } from '../../config/index.ts'
import { checkCapacity } from '../../database/connection/check.ts'
import { onDatabase } from '../../database/index.ts'
import { dateKeys, findMismatches } from '../../domain/key-agreement.ts'
import { loadKeyText } from '../../runtime/keys/load.ts'
import { readKeyHolders, type ReadHolders } from '../../store/key-holders.ts'
import { existingDatabase } from '../database.ts'
import { check, failOn, skipped, type CheckResult } from './check.ts'
import { missingKeyFile } from './services.ts'

/** Checks what all instances on a server share: its connections, and the keys. */
export async function checkInstances(config: Config): Promise<CheckResult[]> {
  const { databaseConnections: connectionsMax, databasePooler } = config
  return [
    await check('  connections', async () => {
      if (databasePooler) return `${connectionsMax} for each instance, to the pooler`
      const options = { connectionsMax, isStarting: false }
      failOn(await onDatabase(existingDatabase(config), (client) => checkCapacity(client, options)))
      return `${connectionsMax} for each instance`
    }),
    missingKeyFile(config) === undefined
      ? await check('  keys', async () =>
          compareKeys(
            config,
            await onDatabase(existingDatabase(config), (client) => readKeyHolders(client, systemClock)),
          ),
        )
      : skipped('  keys', 'the key file does not exist'),
  ]
}

/** Compares the keys of the configuration with those of the instances that run, or else with the one that ran last. */
function compareKeys(config: Config, { holders, nowMs }: ReadHolders): string {
  const running = holders.filter(({ isRunning }) => isRunning)
  const { text, name } = loadKeyText(config)
  const own = { keys: dateKeys(fingerprintsOf(parseKeyFile(text, name)), holders, nowMs), used: {} }
  const [different] = findMismatches(own, running.length > 0 ? running : holders.slice(0, 1), nowMs)
  if (!different) return `those of ${running.length} running instances`
  throw new Error(
    `the instance ${different.name} ${different.isRunning ? 'runs' : 'ran last'} with other keys, so each rejects the tokens, codes and links of the other: give all instances the same key file, see docs/operate.md#different-keys`,
  )
}
