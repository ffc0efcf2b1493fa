import { existsSync } from 'node:fs'
import { buildKeys, parseKeyFile, type Keys } from '../../adapters/keys/index.ts'
import { publicKeyCheck } from '../../adapters/passkeys/public-keys.ts'
import { sealTotp } from '../../adapters/tokens/totp.ts'
import type { Config } from '../../config/index.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Log } from '../../lib/log.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { loadKeyText } from '../../runtime/keys/load.ts'
import { keyAgreement } from '../../runtime/keys/agreement.ts'
import type { Store } from '../../store/index.ts'
import { CommandError } from '../program.ts'
import type { Format } from './arguments.ts'
import type { Row } from './readers/lines.ts'
import type { FactorRules } from './rows/factors.ts'

const FACTOR_COLUMNS = ['totp_secret', 'passkeys'] as const

/** By column: why rows that have a value in it cannot be imported, and what to do */
type Obstacles = Readonly<Partial<Record<(typeof FACTOR_COLUMNS)[number], string>>>

/** What the installation needs to import second factors. Files without them can be imported in any case. */
export type FactorSupport = Readonly<{ rules: FactorRules; obstacles: Obstacles }>

type Dependencies = Pick<Store, 'imports' | 'keyHolders'> & Readonly<{ clock: Clock; log: Log; format: Format }>

export async function openFactorSupport(config: Config, dependencies: Dependencies): Promise<FactorSupport> {
  const { imports, format } = dependencies
  const { isEnabled, relyingParty } = await imports.factorSupport(config.passkeys)
  const keys = await readFactorKeys(config, dependencies)
  const disabled = isEnabled
    ? undefined
    : 'The feature second-factors is not enabled. Run npm run admin -- enable-feature second-factors.'
  const totp = disabled ?? keys.obstacle
  const passkeys = disabled ?? relyingParty?.text ?? (config.passkeys ? undefined : 'WEBAUTHN_RP_ID is not set.')
  return {
    obstacles: { ...(totp && { totp_secret: totp }), ...(passkeys && { passkeys }) },
    rules: {
      sealTotp: keys.factors ? sealTotp(keys.factors) : throwNoKeys,
      relyingPartyId: config.passkeys?.id,
      checkPublicKey: format === 'jsonl' ? await publicKeyCheck() : () => 'damaged',
    },
  }
}

/**
 * Reads the keys of authenticator apps, or returns why there are none. As in the service, a new key is not used before all
 * running instances have it. Unlike the service, this never creates a key file.
 */
async function readFactorKeys(
  config: Config,
  dependencies: Dependencies,
): Promise<{ factors?: NonNullable<Keys['factors']>; obstacle?: string }> {
  if ('file' in config.keys && !existsSync(config.keys.file)) {
    const missing = `The key file ${config.keys.file} does not exist.`
    return { obstacle: `${missing} Set KEYS or KEYS_FILE to the value that the service uses.` }
  }
  try {
    const { text, name } = loadKeyText(config)
    const { inUse } = await keyAgreement(dependencies).choose(parseKeyFile(text, name))
    const { factors } = buildKeys(inUse, name)
    return factors ? { factors } : { obstacle: 'The keys have no factors. Run npm run admin -- rotate-keys factors.' }
  } catch (error) {
    if (error instanceof StartupError) return { obstacle: error.message }
    throw error
  }
}

function throwNoKeys(): never {
  throw new Error('a secret of an authenticator app cannot be encrypted without a key')
}

/**
 * Rejects a file with second factors that cannot be imported, before any of its rows is written.
 *
 * @throws CommandError that says what to do
 */
export async function requireFactorSupport(
  chunks: () => AsyncIterable<Row[]>,
  obstacles: Obstacles,
  signal: AbortSignal,
): Promise<void> {
  if (Object.keys(obstacles).length === 0) return
  for await (const rows of chunks()) {
    if (signal.aborted) return
    for (const { line, content } of rows) {
      const fields = 'fields' in content ? content.fields : {}
      const column = FACTOR_COLUMNS.find((each) => obstacles[each] && [fields[each] ?? []].flat().length > 0)
      if (column) throw new CommandError(`Line ${line} has ${column}, so no row was imported. ${obstacles[column]}`)
    }
  }
}
