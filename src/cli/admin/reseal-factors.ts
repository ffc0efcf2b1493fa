import { fingerprintsOf } from '../../adapters/keys/fingerprints.ts'
import { parseKeyFile, parseKeys } from '../../adapters/keys/index.ts'
import { resealTotp } from '../../adapters/tokens/totp.ts'
import { loadKeyText } from '../../runtime/keys/load.ts'
import type { Config } from '../../config/index.ts'
import type { KeyHolder } from '../../domain/key-agreement.ts'
import type { Store } from '../../store/index.ts'
import { CommandError } from '../program.ts'

/**
 * Encrypts the secrets of authenticator apps with the first key of the key file, so that earlier keys can be removed. It can
 * be interrupted and repeated, and instances that have read the key file may run.
 *
 * @throws CommandError if there is no key, if a running instance does not have the first one, or if none decrypts a secret
 */
export async function resealFactors(
  config: Config,
  { factors, keyHolders }: Pick<Store, 'factors' | 'keyHolders'>,
): Promise<string> {
  const { text, name } = loadKeyText(config)
  const { factors: keys } = parseKeys(text, name)
  if (!keys) throw new CommandError('The key file has no factors. Run npm run admin -- rotate-keys factors.')
  const [first] = fingerprintsOf(parseKeyFile(text, name))['factors'] ?? []
  requireFirstKey((await keyHolders.read()).holders, first)
  const reseal = resealTotp(keys)
  const counts = { current: 0, resealed: 0, unreadable: 0 }
  for (let found = await factors.secretsAfter(0); found.length > 0;) {
    for (const secret of found) {
      const result = reseal(secret)
      if (result === 'unreadable' || result === 'current') counts[result]++
      else if (await factors.replaceSecret(secret, result)) counts.resealed++
    }
    found = await factors.secretsAfter(found.at(-1)?.accountId ?? Infinity)
  }
  const { current, resealed, unreadable } = counts
  const summary = `Secrets encrypted with the first key: ${resealed}. Already encrypted with it: ${current}.`
  if (unreadable > 0) {
    throw new CommandError(
      `${summary} Secrets that no key decrypts: ${unreadable}. Add the keys that the key file has lost, and remove none of the others.`,
    )
  }
  return `${summary} The other keys of factors decrypt nothing any more. Keep them as long as you may restore an earlier backup.`
}

/** Running instances could not decrypt what a key encrypts that they have not read. */
function requireFirstKey(holders: readonly KeyHolder[], fingerprint: string | undefined): void {
  const lacking = holders.filter(
    ({ isRunning, keys }) => isRunning && !keys['factors']?.some((key) => key.fingerprint === fingerprint),
  )
  if (lacking.length === 0) return
  const names = lacking.map(({ name }) => `  ${name}`).join('\n')
  throw new CommandError(
    `These instances do not have the first key of factors yet:\n${names}\nGive them this key file, and run the command again.`,
  )
}
