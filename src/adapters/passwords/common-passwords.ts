import { LIMITS } from '../../../generated/limits.ts'

export type CommonPasswords = {
  /** Returns whether a password is one of the most common ones (ASVS 6.2.4), ignoring case. */
  has(password: string): Promise<boolean>
}

/** Loads the list at the first use, because most processes never need it. */
export function commonPasswords(): CommonPasswords {
  let list: Promise<ReadonlySet<string>> | undefined
  return {
    async has(password) {
      list ??= readList()
      return (await list).has(password.toLowerCase())
    },
  }
}

/** Returns those of the 49,000 most common passwords that have the minimum length. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const passwords = dictionary['passwords-common']
  return new Set(passwords.filter(({ length }) => length >= LIMITS.password.characters_min))
}
