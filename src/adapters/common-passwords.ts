import { LIMITS } from '../../generated/limits.ts'

export type CommonPasswords = {
  /** Whether a password is one that attackers try first (ASVS 6.2.4). Case does not matter. */
  has(password: string): Promise<boolean>
}

/** The list is read when the first password is chosen: most processes never need it. */
export function commonPasswords(): CommonPasswords {
  let list: Promise<ReadonlySet<string>> | undefined
  return {
    async has(password) {
      list ??= readList()
      return (await list).has(password.toLowerCase())
    },
  }
}

/** Those of the 49,000 most common ones that are long enough to be chosen here. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const passwords = dictionary['passwords-common']
  return new Set(passwords.filter(({ length }) => length >= LIMITS.password.characters_min))
}
