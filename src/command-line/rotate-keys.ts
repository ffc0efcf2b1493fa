import { existsSync } from 'node:fs'
import { LIMITS } from '../../generated/limits.ts'
import { changeKeyFile } from '../adapters/key-file.ts'
import { daysKept, preparedIn, rotated, withPrepared, type Rotation } from '../adapters/key-rotation.ts'
import { parseKeyFile } from '../adapters/keys.ts'
import type { KeyFile, KeyKind } from '../adapters/keys/shape.ts'
import type { Config } from '../config.ts'
import { KEY_KINDS, type Command } from './arguments.ts'
import { Impossible } from './errors.ts'

/** What the operator is told, and the secrets where there is no file to write them into. */
export type Rotated = { said: string; keys: string | undefined }

type RotateKeys = Extract<Command, { name: 'rotate-keys' }>
type Turn = { file: KeyFile; said: string; isNew: boolean }

/** What the keys of a kind make */
const MADE: Record<KeyKind, string> = {
  tokens: 'access tokens',
  codes: 'one-time codes',
  links: 'file links',
  refresh_tokens: 'refresh tokens',
  audit_seals: 'seals of the audit trail',
}

/**
 * Replaces the key of one kind that the service uses, or prepares the next one.
 *
 * @throws StartFailure when these are no good keys or the file cannot be replaced; Impossible when there are too many
 */
export function rotateKeys(command: RotateKeys, keys: Config['keys'], nowMs: number): Rotated {
  const { kind, isPreparation } = command
  const turn = (file: KeyFile): Turn => (isPreparation ? prepare(file, kind, nowMs) : rotate(file, kind, nowMs))
  if ('text' in keys) {
    const { file, said } = turn(parseKeyFile(keys.text, 'KEYS'))
    return { said: `${said}\n${KEYS_PRINTED}`, keys: JSON.stringify(file) }
  }
  if (!existsSync(keys.file)) {
    throw new Impossible(
      `There is no key file ${keys.file}. Start the service once, or set KEYS_FILE or DATA_DIR as it has them.`,
    )
  }
  let said = ''
  changeKeyFile(keys.file, (file) => {
    const turned = turn(file)
    said = `${turned.said}\nThe key file is ${keys.file}.`
    return turned.isNew ? turned.file : undefined
  })
  return { said, keys: undefined }
}

const KEYS_PRINTED = 'Nothing has changed yet: set KEYS to the JSON that is printed, wherever the service runs.'

function prepare(file: KeyFile, kind: KeyKind, nowMs: number): Turn {
  const next = `Restart every instance, one after the other, so that all of them know the key. When that is done, run
rotate-keys ${KEY_KINDS[kind]}, and restart them again, in any order.`
  const present = preparedIn(file, kind)
  if (present) {
    const said = `The key ${present.kid} is already prepared, since ${String(present.prepared)}.\n${next}`
    return { file, said, isNew: false }
  }
  const { file: changed, kid } = withPrepared(file, kind, nowMs) ?? tooMany(kind)
  return {
    file: changed,
    said: `The key ${kid} is prepared. No ${MADE[kind]} are made with it yet.\n${next}`,
    isNew: true,
  }
}

function rotate(file: KeyFile, kind: KeyKind, nowMs: number): Turn {
  const rotation = rotated(file, kind, nowMs) ?? tooMany(kind)
  const { active, retired, dropped } = rotation
  const lines = [
    `From its next start, the service makes ${MADE[kind]} with the key ${active}. Restart it now.`,
    ...(retired === undefined ? [] : [validityOf(retired, kind)]),
    ...(dropped.length > 0 ? [`Removed, because everything made with them has expired: ${dropped.join(', ')}.`] : []),
    adviceOf(rotation, kind),
    ...(isSecretShared(rotation.file) ? [SECRET_SHARED] : []),
  ]
  return { file: rotation.file, said: lines.join('\n'), isNew: true }
}

function validityOf(retired: string, kind: KeyKind): string {
  if (kind === 'audit_seals') return `Those made with ${retired} stay valid: do not remove that key.`
  return `Those made with ${retired} stay valid until they expire.`
}

function adviceOf({ preparedAt }: Rotation, kind: KeyKind): string {
  if (kind === 'audit_seals')
    return 'Several instances may be restarted in any order: seals are only verified by verify-audit.'
  if (preparedAt !== undefined) {
    return `An instance that was last started before ${preparedAt}, when the key was prepared, does not know it: restart that
instance first.`
  }
  return `If there are several instances, restart all of them at once: one that still runs with the old keys rejects the new
${MADE[kind]} of the others. To restart them one after the other, begin with rotate-keys ${KEY_KINDS[kind]} --prepare next time.`
}

/** Files of earlier versions had one secret for three kinds of keys. */
function isSecretShared({ codes, links, refresh_tokens }: KeyFile): boolean {
  const inUse = [codes, links, refresh_tokens].map(([key]) => key?.k)
  return new Set(inUse).size < inUse.length
}

const SECRET_SHARED = `Some of codes, links and refresh-tokens still use the same secret, which comes from an earlier version. Rotate each of them
once to separate them.`

function tooMany(kind: KeyKind): never {
  if (kind === 'audit_seals') {
    throw new Impossible(`There are already ${LIMITS.keys.max} keys for ${MADE[kind]}, which is the maximum. All of them are still needed to verify the
seals that they have signed.`)
  }
  throw new Impossible(
    `There are already ${LIMITS.keys.max} keys for ${MADE[kind]}, which is the maximum. A rotation removes keys that were retired more
than ${daysKept(kind)} days ago: try again then.`,
  )
}
