import { parseKeyFile, parseKeys, serializeKeyFile } from '../adapters/keys/index.ts'
import { describeKeyFile, readKeyText } from '../adapters/keys/private-file.ts'
import type { KeyFile } from '../adapters/keys/key-file-schema.ts'
import { keyRing, type KeyRing } from '../adapters/keys/key-ring.ts'
import { NEW_KEY_WAIT_MS, withWaitingKeys } from '../adapters/keys/new-keys-wait.ts'
import type { Config } from '../config/index.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../lib/log.ts'
import { loadKeyText } from './factories.ts'

/** Reads the file again instead of watching it, because volumes of secrets replace links, and networks send no events. */
const POLL_MS = 5000

export type ReloadingKeys = KeyRing & {
  /** Reads the key file, and uses its keys if they have changed and are valid. */
  reload(): Promise<void>
  stop(): void
}

type Parts = { clock: Clock; log: Log }

/**
 * Opens the keys of the configuration. Those in a file are read again while the service runs. An invalid file is logged, and
 * the last valid keys remain in use.
 *
 * @throws StartupError if the keys are invalid
 */
export function openKeys(config: Config, parts: Parts): ReloadingKeys {
  const { text, name } = loadKeyText(config)
  const ring = keyRing(parseKeys(text, name))
  if ('text' in config.keys) return { ...ring, reload: () => Promise.resolve(), stop: () => undefined }
  const reload = keyReload(config.keys.file, text, ring, parts)
  let running = Promise.resolve()
  const reloadInTurn = (): Promise<void> => (running = running.then(reload))
  const timer = setInterval(() => void reloadInTurn(), POLL_MS).unref()
  return { ...ring, reload: reloadInTurn, stop: () => clearInterval(timer) }
}

/** Returns a function that reads a key file and replaces the keys of a ring; it never throws. */
function keyReload(path: string, startText: string, ring: KeyRing, { clock, log }: Parts): () => Promise<void> {
  const name = describeKeyFile(path)
  let file = parseKeyFile(startText, name)
  let inUse = file
  let lastText = startText
  let lastFailure: string | undefined
  const seenAtMs = new Map(listKids(file).map((kid) => [kid, -Infinity]))
  const isNew = (kid: string): boolean => clock.nowMs() - (seenAtMs.get(kid) ?? 0) < NEW_KEY_WAIT_MS

  const read = async (): Promise<void> => {
    const text = await readKeyText(path)
    if (text === lastText) return
    file = parseKeyFile(text, name)
    for (const kid of listKids(file)) if (!seenAtMs.has(kid)) seenAtMs.set(kid, clock.nowMs())
    lastText = text
  }
  return async () => {
    try {
      await read()
      const next = withWaitingKeys(file, inUse, isNew)
      if (describeOrder(next) !== describeOrder(inUse)) {
        await ring.replace(parseKeys(serializeKeyFile(next), name))
        inUse = next
        log.info({ keys: listFirst(next) }, 'keys reloaded')
      }
      lastFailure = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== lastFailure) log.error({ err: error }, 'keys not reloaded, the previous keys remain in use')
      lastFailure = message
    }
  }
}

function listKids(file: KeyFile): string[] {
  return Object.values(file).flatMap((keys) => keys.map(({ kid }) => kid))
}

/** Returns the names of the keys that are in use, by their purpose. */
function listFirst(file: KeyFile): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(file).map(([kind, keys]) => [kind, keys[0]?.kid]))
}

/** Returns a text that depends on the kinds' keys and their order, and not on the order of the kinds. */
function describeOrder(file: KeyFile): string {
  const kinds = Object.entries(file).map(([kind, keys]) => `${kind}: ${keys.map(({ kid }) => kid).join(' ')}`)
  return kinds.sort().join('\n')
}
