import { existsSync } from 'node:fs'
import { LIMITS } from '../../../generated/limits.ts'
import { changeKeyFile } from '../../adapters/keys/key-file.ts'
import { retentionDays, findPreparedKey, rotateKey, addPreparedKey } from '../../adapters/keys/rotation.ts'
import { parseKeyFile } from '../../adapters/keys/index.ts'
import { algorithmOf, type Algorithm, type KeyFile, type KeyKind } from '../../adapters/keys/key-file-schema.ts'
import type { Config } from '../../config/index.ts'
import { keyWaitMs } from '../../domain/key-agreement.ts'
import { keyKindWord, type Command } from './arguments.ts'
import { CommandError } from '../program.ts'

/** The message for the operator, and the new keys if they are not in a file. */
type RotationOutput = { message: string; keys: string | undefined }

const MINUTE_MS = 60_000

type RotateKeys = Extract<Command, { name: 'rotate-keys' }>
/** `file` is undefined if nothing changes. */
type Change = { file: KeyFile | undefined; message: string }

/** What the keys of each kind sign */
const PRODUCTS: Record<KeyKind, string> = {
  tokens: 'access tokens',
  codes: 'one-time codes',
  links: 'file links',
  refresh_tokens: 'refresh tokens',
  audit_seals: 'seals of the audit trail',
  factors: 'secrets of authenticator apps',
}

/**
 * Replaces the active key of a kind, or prepares the next one.
 *
 * @throws StartupError if the key file is invalid or cannot be replaced; CommandError if there are too many keys
 */
export function rotateKeys(command: RotateKeys, keys: Config['keys'], nowMs: number): RotationOutput {
  const { kind, isPreparation, algorithm } = command
  const isReloaded = 'file' in keys
  const change = isPreparation ? prepare : rotate
  const changeFile = (file: KeyFile): Change => change(file, kind, { nowMs, isReloaded, algorithm })
  if ('text' in keys) {
    const before = parseKeyFile(keys.text, 'KEYS')
    const { file = before, message } = changeFile(before)
    return { message: `${message}\n${KEYS_PRINTED}`, keys: JSON.stringify(file) }
  }
  if (!existsSync(keys.file)) {
    throw new CommandError(
      `There is no key file ${keys.file}. Start the service once, or set KEYS_FILE or DATA_DIR to the value that the service uses.`,
    )
  }
  let message = ''
  changeKeyFile(keys.file, (file) => {
    const { file: changed, message: done } = changeFile(file)
    message = `${done}\nThe key file is ${keys.file}.`
    return changed
  })
  return { message, keys: undefined }
}

const KEYS_PRINTED = 'Nothing has changed yet: set KEYS to the printed JSON on every instance.'

type Rotating = { nowMs: number; isReloaded: boolean; algorithm: Algorithm | undefined }

/** @param options.isReloaded whether the running service reads the keys again */
function prepare(file: KeyFile, kind: KeyKind, { nowMs, isReloaded, algorithm }: Rotating): Change {
  requirePrepared(file, algorithm)
  const learning = isReloaded ? READ_AGAIN : RESTARTS
  const next = `${learning}\nThen run rotate-keys ${keyKindWord(kind)}${isReloaded ? '' : ' with the same KEYS'}.`
  const alreadyPrepared = findPreparedKey(file, kind)
  if (alreadyPrepared) {
    const { kid, prepared } = alreadyPrepared
    return { file: undefined, message: `The key ${kid} was already prepared at ${String(prepared)}.\n${next}` }
  }
  const { file: changed, kid } = addPreparedKey(file, kind, nowMs, algorithm) ?? throwTooManyKeys(kind)
  return { file: changed, message: `The key ${kid} is prepared. It is not used for ${PRODUCTS[kind]} yet.\n${next}` }
}

function rotate(file: KeyFile, kind: KeyKind, { nowMs, isReloaded, algorithm }: Rotating): Change {
  requirePrepared(file, algorithm)
  const rotation = rotateKey(file, kind, nowMs, algorithm) ?? throwTooManyKeys(kind)
  const { active, retired, dropped } = rotation
  const minutes = keyWaitMs(kind) / MINUTE_MS
  const lines = [
    `The service will use the key ${active} for new ${PRODUCTS[kind]} when all instances have had it for ${minutes} minutes.`,
    ...(retired === undefined ? [] : [describeValidity(retired, kind)]),
    ...(dropped.length > 0 ? [`Removed, because everything they signed has expired: ${dropped.join(', ')}.`] : []),
    isReloaded ? READ_AGAIN : RESTARTS,
    ...(isSecretShared(rotation.file) ? [SECRET_SHARED] : []),
  ]
  return { file: rotation.file, message: lines.join('\n') }
}

/** @throws CommandError if the prepared key of access tokens has another algorithm than the given one */
function requirePrepared(file: KeyFile, algorithm: Algorithm | undefined): void {
  const prepared = file.tokens.find((key) => key.prepared !== undefined)
  if (!algorithm || !prepared || algorithmOf(prepared) === algorithm) return
  throw new CommandError(
    `The prepared key ${prepared.kid} is for ${algorithmOf(prepared)}. Rotate to it without --algorithm first, or remove it.`,
  )
}

function describeValidity(retired: string, kind: KeyKind): string {
  if (kind === 'audit_seals') return `Existing ones, signed with ${retired}, stay valid: do not remove that key.`
  if (kind === 'factors')
    return `Existing ones, encrypted with ${retired}, stay readable: do not remove that key before reseal-factors.`
  return `Existing ones, signed with ${retired}, stay valid until they expire.`
}

const READ_AGAIN = `Instances that read this file find the key within seconds and need no restart. If instances have copies of the file,
such as a secret of Kubernetes, replace the copies now: see docs/operate.md#rotate-a-key.`

const RESTARTS = 'Set KEYS to the printed JSON on all instances within a day, and restart them one after the other.'

/** Returns whether kinds of keys share the single secret of an earlier version. */
function isSecretShared({ codes, links, refresh_tokens }: KeyFile): boolean {
  const inUse = [codes, links, refresh_tokens].map(([key]) => key?.k)
  return new Set(inUse).size < inUse.length
}

const SECRET_SHARED = `Some of codes, links and refresh-tokens still share a secret of an earlier version. Rotate each of them once to separate
them.`

function throwTooManyKeys(kind: KeyKind): never {
  throw new CommandError(
    `There are already ${LIMITS.keys.max} keys for ${PRODUCTS[kind]}, which is the maximum. ${adviseOnRoom(kind)}`,
  )
}

function adviseOnRoom(kind: KeyKind): string {
  if (kind === 'audit_seals') return 'All of them are needed to verify the\nseals that they signed.'
  if (kind === 'factors') return 'Run reseal-factors, and then remove all of them but the first.'
  return `A rotation removes keys that were retired more
than ${retentionDays(kind)} days ago. Try again when that is the case.`
}
