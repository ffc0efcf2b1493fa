import { existsSync } from 'node:fs'
import { LIMITS } from '../../generated/limits.ts'
import { changeKeyFile } from '../adapters/key-file.ts'
import { preparedIn, rotated, withPrepared, type Rotation } from '../adapters/key-rotation.ts'
import { parseKeyFile, type KeyFile } from '../adapters/keys.ts'
import type { Config } from '../config.ts'
import type { Command } from './arguments.ts'
import { Impossible } from './errors.ts'

/** What the operator is told, and the secrets where there is no file to write them into. */
export type Rotated = { said: string; keys: string | undefined }

type RotateKeys = Extract<Command, { name: 'rotate-keys' }>
type Turn = { file: KeyFile; said: string; isNew: boolean }

/**
 * Makes another key sign the tokens, or prepares one, where the service has its keys.
 *
 * @throws StartFailure when these are no good keys or the file cannot be replaced; Impossible when there are too many
 */
export function rotateKeys(command: RotateKeys, keys: Config['keys'], nowMs: number): Rotated {
  const turn = (file: KeyFile): Turn => (command.isPreparation ? prepare(file, nowMs) : rotate(file, nowMs))
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

const KEYS_PRINTED = 'Nothing has changed yet: set KEYS to what is printed as JSON, wherever the service has it.'

function prepare(file: KeyFile, nowMs: number): Turn {
  const present = preparedIn(file)
  if (present) {
    const said = `The key ${present.kid} is prepared already, since ${String(present.prepared)}.\n${AFTER_PREPARING}`
    return { file, said, isNew: false }
  }
  const { file: changed, kid } = withPrepared(file, nowMs) ?? tooMany()
  return { file: changed, said: `The key ${kid} is prepared: it signs nothing yet.\n${AFTER_PREPARING}`, isNew: true }
}

const AFTER_PREPARING = `Restart every instance, so that all of them know the key. When that is done, run rotate-keys, and restart
them again, in any order.`

function rotate(file: KeyFile, nowMs: number): Turn {
  const rotation = rotated(file, nowMs) ?? tooMany()
  const { signing, retired, dropped } = rotation
  const lines = [
    `The key ${signing} signs tokens from the next start of the service on: restart it now.`,
    `Tokens that ${retired} has signed stay good, and so do refresh tokens, links and codes.`,
    ...(dropped.length > 0 ? [`Dropped, as all that they have signed has expired: ${dropped.join(', ')}.`] : []),
    adviceOf(rotation),
  ]
  return { file: rotation.file, said: lines.join('\n'), isNew: true }
}

function adviceOf({ preparedAt }: Rotation): string {
  if (preparedAt !== undefined) {
    return `An instance that was not restarted since ${preparedAt}, when the key was prepared, does not know it yet: restart that
one first.`
  }
  return `Of several instances, one that is not restarted yet refuses the new tokens of the others: restart all at once. To
restart them one after the other, run rotate-keys --prepare first, the next time.`
}

function tooMany(): never {
  throw new Impossible(
    `There are ${LIMITS.keys.max} keys already, which is as many as there may be. A rotation drops those that have not signed for
two days: try again then.`,
  )
}
