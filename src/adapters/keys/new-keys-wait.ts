import type { KeyFile } from './key-file-schema.ts'

/** A new key is used when every instance has read the key file, which may take this long on a mounted volume. */
export const NEW_KEY_WAIT_MS = 120_000

/**
 * Returns a key file in which a new key only verifies at first: the previous key stays in front of it. Without the previous
 * key, the new one is used at once.
 *
 * @param running the keys that are in use
 * @param isNew whether other instances may not know a key yet
 */
export function withWaitingKeys(file: KeyFile, running: KeyFile, isNew: (kid: string) => boolean): KeyFile {
  const order = <Key extends { kid: string }>(keys: Key[], [used]: readonly { kid: string }[]): Key[] => {
    const [first] = keys
    const previous = keys.find(({ kid }) => kid === used?.kid)
    if (!first || !previous || !isNew(first.kid)) return keys
    return [previous, ...keys.filter((key) => key !== previous)]
  }
  return {
    tokens: order(file.tokens, running.tokens),
    codes: order(file.codes, running.codes),
    links: order(file.links, running.links),
    refresh_tokens: order(file.refresh_tokens, running.refresh_tokens),
    audit_seals: order(file.audit_seals, running.audit_seals),
  }
}
