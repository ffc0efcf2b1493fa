import { makeKeyFileIfMissing } from '../../adapters/keys/key-file.ts'
import { describeKeyFile, readPrivateFile } from '../../adapters/keys/private-file.ts'
import { parseKeys, type Keys } from '../../adapters/keys/index.ts'
import type { Config } from '../../config/index.ts'

export function loadKeys(config: Config): Keys {
  const { text, name } = loadKeyText(config)
  return parseKeys(text, name)
}

/** Returns the text of the keys, and its name in errors. Development creates a key file that is missing. */
export function loadKeyText({ keys, isProduction }: Config): { text: string; name: string } {
  if ('text' in keys) return { text: keys.text, name: 'KEYS' }
  if (!isProduction) makeKeyFileIfMissing(keys.file)
  return { text: readPrivateFile(keys.file), name: describeKeyFile(keys.file) }
}
