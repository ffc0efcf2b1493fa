import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../load/dependencies/dependency.ts'
import { newLedger } from '../load/operations.ts'
import { isSuccess, type Sample } from '../load/load.ts'
import { repeat } from '../load/parts.ts'
import { send } from '../load/send.ts'
import type { Instance } from '../load/service.ts'
import { startLoad } from './load.ts'
import { startScrapes, type Scrapes } from './alerts.ts'
import { countLosses, type Losses, type Setting } from './verify.ts'

/** What a probe returned: its status, and for /health the statuses of the dependencies */
export type Probe = { name: 'live' | 'ready' | 'health'; atMs: number; status: number; detail: string }

/** What a fault did. All times are in milliseconds; those of probes count from the fault. */
export type Observed = {
  dependency: string
  /** `none` for the run that the others are compared with */
  fault: string
  probes: Probe[]
  /** The metrics of each instance */
  scrapes: Scrapes[]
  faultMs: number
  sent: number
  /** Requests that did not get the response of a success, of those that were sent from the fault on */
  failed: Sample[]
  /** The time of the slowest of them */
  slowestMs: number
  /** From the end of the repair, with the start of a program, to the end of the last failure, as requests and probes saw it */
  recoveryMs: number
  losses: Losses
  /** The e-mails of this run, to be compared at the end */
  mails: readonly string[]
}

const WARM_UP_MS = 2000
const CALM_MS = 4000
const RECOVERY_MS_MAX = 60_000
const LOOK_MS = 200

/** Applies a fault for a while under load, repairs it, and waits until all is well. */
export async function observe(dependency: string, fault: string, change: Fault, setting: Setting): Promise<Observed> {
  const { instances, people, rate, seconds } = setting
  const ledger = newLedger()
  const load = startLoad({ origins: instances.map(({ origin }) => origin), people, ledger, rate })
  const probes = startProbes(instances)
  const scrapes = instances.map(startScrapes)
  await sleep(WARM_UP_MS)
  const faultMs = performance.now()
  await change.apply()
  await sleep(seconds * 1000)
  await change.repair()
  const repairMs = performance.now()
  await untilCalm(load.samples, probes.seen)
  await load.stop()
  await Promise.all([probes, ...scrapes].map((each) => each.stop()))

  const during = load.samples.filter((sample) => endOf(sample) > faultMs)
  const failed = during.filter((sample) => !isSuccess(sample))
  const probesSince = probes.seen.filter(({ atMs }) => atMs >= faultMs)
  return {
    dependency,
    fault,
    probes: probesSince.map((probe) => ({ ...probe, atMs: probe.atMs - faultMs })),
    scrapes,
    faultMs,
    sent: during.length,
    failed,
    slowestMs: Math.max(0, ...failed.map(({ ms }) => ms)),
    recoveryMs: Math.max(repairMs, ...failureTimes(load.samples, probes.seen)) - repairMs,
    losses: await countLosses(ledger, setting),
    mails: ledger.mail,
  }
}

/** Waits until no request and no probe has failed for a while. */
async function untilCalm(samples: readonly Sample[], probes: readonly Probe[]): Promise<void> {
  const startMs = performance.now()
  const calmMs = (): number => performance.now() - Math.max(startMs, ...failureTimes(samples, probes))
  while (calmMs() < CALM_MS && performance.now() - startMs < RECOVERY_MS_MAX) await sleep(LOOK_MS)
}

/** Returns when requests and probes failed. */
function failureTimes(samples: readonly Sample[], probes: readonly Probe[]): number[] {
  const failed = probes.filter(({ status, detail }) => status !== 200 || detail !== '')
  return [...samples.filter((sample) => !isSuccess(sample)).map(endOf), ...failed.map(({ atMs }) => atMs)]
}

function endOf({ startMs, ms }: Sample): number {
  return startMs + ms
}

/** Reads the three probes of instances again and again, and adds what they return to a list. */
function startProbes(instances: readonly Instance[]): { seen: Probe[]; stop(): Promise<void> } {
  const seen: Probe[] = []
  const read = (name: Probe['name'], server: string, path: string) => async (): Promise<void> => {
    const { status, bytes } = await send(server, { path }).catch(() => ({ status: 0, bytes: Buffer.from('') }))
    seen.push({ name, atMs: performance.now(), status, detail: name === 'health' ? troubles(bytes) : '' })
    await sleep(LOOK_MS)
  }
  const works = instances.flatMap(({ origin, management }) => [
    read('live', origin, '/health/live'),
    read('ready', origin, '/health/ready'),
    read('health', management, '/health'),
  ])
  return { seen, stop: repeat(...works) }
}

/** Returns the dependencies that fail, such as `redis degraded`. */
function troubles(bytes: Buffer): string {
  if (bytes.length === 0) return 'no response'
  const { dependencies } = JSON.parse(bytes.toString()) as { dependencies: { name: string; status: string }[] }
  const failing = dependencies.filter(({ status }) => status !== 'ok')
  return failing.map(({ name, status }) => `${name} ${status}`).join(', ')
}
