import { buildKeys, parseKeyFile } from '../../adapters/keys/index.ts'
import { readKeyText } from '../../adapters/keys/private-file.ts'
import type { KeyFile } from '../../adapters/keys/key-file-schema.ts'
import { keyRing, type KeyRing } from '../../adapters/keys/key-ring.ts'
import type { Config } from '../../config/index.ts'
import { loadKeyText } from './load.ts'
import { keyAgreement, type AgreementParts, type Choice, type KeyAgreement } from './agreement.ts'

/** Reads the file again instead of watching it, because volumes of secrets replace links, and networks send no events. */
const POLL_MS = 5000
/** Instances compare their keys in every sixth interval, and whenever the file has changed. */
const POLLS_PER_COMPARISON = 6

export type ReloadingKeys = KeyRing & {
  /** Reads the key file, compares the keys with those of other instances, and uses them if they are valid. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/**
 * Opens the keys of the configuration. Those in a file are read again while the service runs. An invalid file is logged, and
 * the last valid keys remain in use. A new key is used when all instances and clients know it, also after a restart.
 *
 * @throws StartupError if the keys are invalid
 */
export async function openKeys(config: Config, parts: AgreementParts): Promise<ReloadingKeys> {
  const source = keySource(config)
  const agreement = keyAgreement(parts)
  const first = await agreement.choose(source.file())
  const ring = keyRing(buildKeys(first.inUse, source.name))
  await agreement.publish(first)

  const reload = keyReload({ ring, source, agreement, first, log: parts.log })
  let running = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => (running = running.then(work))
  let polls = 0
  const poll = async (): Promise<void> => {
    if (++polls % POLLS_PER_COMPARISON === 0 || (await source.hasChanged())) await reload()
  }
  const timer = setInterval(() => void inTurn(poll), POLL_MS).unref()
  return {
    ...ring,
    reload: () => inTurn(reload),
    async stop() {
      clearInterval(timer)
      await inTurn(agreement.end)
    },
  }
}

type KeySource = Readonly<{
  name: string
  /** The last valid keys */
  file(): KeyFile
  hasChanged(): Promise<boolean>
  /** @throws StartupError if the keys have become invalid */
  read(): Promise<void>
}>

function keySource(config: Config): KeySource {
  const { keys } = config
  const { text, name } = loadKeyText(config)
  const readText = 'text' in keys ? async () => text : () => readKeyText(keys.file)
  let last = { text, file: parseKeyFile(text, name) }
  return {
    name,
    file: () => last.file,
    hasChanged: () =>
      readText().then(
        (next) => next !== last.text,
        () => true, // `read` reports the error
      ),
    async read() {
      const next = await readText()
      if (next !== last.text) last = { text: next, file: parseKeyFile(next, name) }
    },
  }
}

type Reloading = {
  ring: KeyRing
  source: KeySource
  agreement: KeyAgreement
  first: Choice
  log: AgreementParts['log']
}

/** Returns a function that reads the keys and replaces those of a ring; it never throws. */
function keyReload({ ring, source, agreement, first, log }: Reloading): () => Promise<void> {
  let choice = first
  let lastFailure: string | undefined
  const replace = async (): Promise<void> => {
    const next = await agreement.choose(source.file())
    if (describeOrder(next.inUse) !== describeOrder(choice.inUse)) {
      const keys = buildKeys(next.inUse, source.name)
      await ring.replace(keys)
      log.info({ keys: keys.usedKids }, 'keys reloaded')
    }
    choice = next
  }
  return async () => {
    const failures = [await errorOf(source.read()), await errorOf(replace())]
    const failure = failures.find((error) => error !== undefined)
    if (failure && failure.message !== lastFailure)
      log.error({ err: failure }, 'keys not reloaded, the previous keys remain in use')
    lastFailure = failure?.message
    await agreement.publish(choice)
  }
}

function errorOf(work: Promise<void>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => error as Error,
  )
}

/** Returns a text that depends on the kinds' keys and their order, and not on the order of the kinds. */
function describeOrder(file: KeyFile): string {
  const kinds = Object.entries(file).map(([kind, keys]) => `${kind}: ${keys.map(({ kid }) => kid).join(' ')}`)
  return kinds.sort().join('\n')
}
