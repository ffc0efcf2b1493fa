import type { Keys } from '../../adapters/keys/index.ts'
import { resealTotp } from '../../adapters/tokens/totp.ts'
import type { FactorSecrets } from '../../store/factors/secrets.ts'
import { CommandError } from '../errors.ts'

/**
 * Encrypts the secrets of authenticator apps with the first key of the key file, so that earlier keys can be removed. It can
 * be interrupted and repeated, and instances that have read the key file may run.
 *
 * @throws CommandError if there is no key, or it does not decrypt a secret
 */
export async function resealFactors(keys: Keys['factors'], factors: FactorSecrets): Promise<string> {
  if (!keys) throw new CommandError('The key file has no factors. Run npm run admin -- rotate-keys factors.')
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
