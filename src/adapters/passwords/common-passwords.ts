import { LIMITS } from '../../../generated/limits.ts'

export type CommonPasswords = {
  /** Returns whether a password is one of the most common ones (ASVS 6.2.4), ignoring case. */
  has(password: string): Promise<boolean>
}

/** Loads the 49,000 most common passwords at the first use, because most processes never need them. */
export function commonPasswords(): CommonPasswords {
  let list: Promise<ReadonlySet<string>> | undefined
  return {
    async has(password) {
      list ??= import('@zxcvbn-ts/language-common').then(({ dictionary: { 'passwords-common': all } }) => {
        return new Set(all.filter(({ length }) => length >= LIMITS.password.characters_min))
      })
      return (await list).has(password.toLowerCase())
    },
  }
}
