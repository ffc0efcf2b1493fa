import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { fingerprintsOf } from '../../adapters/keys/fingerprints.ts'
import type { KeyFile } from '../../adapters/keys/key-file-schema.ts'
import { withWaitingKeys } from '../../adapters/keys/rotation.ts'
import type { Clock } from '../../domain/clock.ts'
import { dateKeys, findMismatches, mustWait, type HeldKeys, type KeyHolder } from '../../domain/key-agreement.ts'
import { clockComparison } from '../../lib/clock-difference.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics.ts'
import type { KeyHolders, ReadHolders } from '../../store/key-holders.ts'

export type AgreementParts = { clock: Clock; log: Log; metrics?: Metrics | undefined; keyHolders: KeyHolders }

/** A key file in the order in which its keys are used, and what other instances have to know about it */
export type Choice = Readonly<{ inUse: KeyFile; held: HeldKeys }>

export type KeyAgreement = {
  /**
   * Decides which keys of a file are used, by the keys of the other instances. If the database cannot be read, the keys that
   * were read last count.
   *
   * @throws the error of the first read, or StartupError if its clock differs by more than 5 minutes
   */
  choose(file: KeyFile): Promise<Choice>
  /** Tells other instances which keys this one has, and reports those with which it does not agree. Never throws. */
  publish(choice: Choice): Promise<void>
  end(): Promise<void>
}

export function keyAgreement({ clock, log, metrics, keyHolders }: AgreementParts): KeyAgreement {
  const id = randomUUID()
  const name = `${hostname().slice(0, 80)}, process ${process.pid}`
  let last: ReadHolders | undefined
  let held: HeldKeys | undefined
  let mismatches: readonly KeyHolder[] = []
  const compareClocks = clockComparison({ clock, log, metrics })
  metrics?.watch('tawthiq_key_mismatches', () => [{ labels: {}, value: mismatches.length }])

  const readHolders = async (): Promise<ReadHolders> => {
    try {
      return await compareClocks(() => keyHolders.read())
    } catch (error) {
      if (!last) throw error
      return { ...last, nowMs: clock.nowMs() }
    }
  }
  const report = (found: readonly KeyHolder[]): void => {
    const isSame = namesOf(found) === namesOf(mismatches)
    mismatches = found
    if (isSame) return
    if (found.length === 0) log.info('all instances have the keys that are in use')
    else log.error({ instances: found.map((each) => each.name) }, MISMATCH)
  }
  const others = (): KeyHolder[] => last?.holders.filter((each) => each.id !== id) ?? []
  return {
    async choose(file) {
      last = await readHolders()
      const { holders, nowMs } = last
      const keys = dateKeys(fingerprintsOf(file), held ? [held, ...holders] : holders, nowMs)
      const inUse = withWaitingKeys(file, keys, {
        nowMs,
        mustWait: (key, purpose) => mustWait(key, purpose, { list: keys[purpose] ?? [], others: others(), nowMs }),
      })
      return { inUse, held: { keys, used: firstOf(fingerprintsOf(inUse)) } }
    },
    async publish(choice) {
      ;({ held } = choice)
      const running = others().filter(({ isRunning }) => isRunning)
      report(findMismatches(held, running, last?.nowMs ?? clock.nowMs()))
      await keyHolders
        .put({ id, name, ...held })
        .catch((error: unknown) => log.debug({ err: error }, 'keys not compared'))
    },
    end: () =>
      keyHolders.stop(id).catch((error: unknown) => log.debug({ err: error }, 'instance not marked as stopped')),
  }
}

const MISMATCH =
  'other instances have different keys: each rejects the tokens, codes and links of the other. Give all instances the same key file, see docs/operate.md#different-keys'

function namesOf(holders: readonly KeyHolder[]): string {
  return holders.map(({ id }) => id).sort().join() // prettier-ignore
}

function firstOf(lists: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([purpose, [first]]) => (first === undefined ? [] : [[purpose, first]])),
  )
}
