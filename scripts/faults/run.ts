import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependency, Fault, FaultName } from '../load/dependencies/dependency.ts'
import { newLedger, type Ledger } from '../load/ledger.ts'
import { isSuccess, type Sample } from '../load/load.ts'
import { startLoad } from './load.ts'
import { startScrapes, type Scrapes } from './alerts.ts'
import { startProbes, type ProbeName, type Probes } from './probes.ts'
import { countLosses, type Losses, type Setting } from './verify.ts'

/** What a fault did. All times are in milliseconds; those of probes count from the fault. */
export type Observed = {
  dependency: string
  fault: FaultName | 'none'
  probes: Probes['seen']
  /** The metrics of each instance */
  scrapes: Scrapes[]
  faultMs: number
  sent: number
  /** Requests that did not get the response of a success, of those that were sent from the fault on */
  failed: Sample[]
  slowest: { success: Sample | undefined; failure: Sample | undefined }
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
export async function observe(
  { name }: Pick<Dependency, 'name'>,
  [faultName, fault]: [FaultName | 'none', Fault],
  seconds: number,
  setting: Setting,
): Promise<Observed> {
  const { instances, people, rate } = setting
  const ledger: Ledger = newLedger()
  const load = startLoad({ origins: instances.map(({ origin }) => origin), people, ledger, rate })
  const probes = instances.map(startProbes)
  const scrapes = instances.map(startScrapes)
  await sleep(WARM_UP_MS)
  const faultMs = performance.now()
  await fault.apply()
  await sleep(seconds * 1000)
  await fault.repair()
  const repairMs = performance.now()
  await untilCalm(load.samples, probes)
  await load.stop()
  await Promise.all([...probes, ...scrapes].map((each) => each.stop()))

  const during = load.samples.filter(({ startMs, ms }) => startMs + ms > faultMs)
  const failed = during.filter((sample) => !isSuccess(sample))
  const lastMs = Math.max(repairMs, ...failed.map(({ startMs, ms }) => startMs + ms), ...troubleTimes(probes))
  return {
    dependency: name,
    fault: faultName,
    probes: sinceFault(probes, faultMs),
    scrapes,
    faultMs,
    sent: during.length,
    failed,
    slowest: { success: slowestOf(during.filter(isSuccess)), failure: slowestOf(failed) },
    recoveryMs: lastMs - repairMs,
    losses: await countLosses(ledger, setting),
    mails: ledger.things('mail'),
  }
}

function slowestOf(samples: readonly Sample[]): Sample | undefined {
  return samples.toSorted((a, b) => b.ms - a.ms)[0]
}

/** Waits until no request and no probe has failed for a while. */
async function untilCalm(samples: readonly Sample[], probes: readonly Probes[]): Promise<void> {
  const startMs = performance.now()
  const lastMs = (): number => {
    const failures = samples.filter((sample) => !isSuccess(sample)).map(({ startMs, ms }) => startMs + ms)
    return Math.max(startMs, ...failures, ...troubleTimes(probes))
  }
  while (performance.now() - lastMs() < CALM_MS && performance.now() - startMs < RECOVERY_MS_MAX) await sleep(LOOK_MS)
}

function troubleTimes(probes: readonly Probes[]): number[] {
  const all = probes.flatMap(({ seen }) => Object.values(seen).flat())
  return all.filter(({ status, detail }) => status !== 200 || detail !== '').map(({ atMs }) => atMs)
}

function sinceFault(probes: readonly Probes[], faultMs: number): Observed['probes'] {
  const of = (name: ProbeName): Observed['probes'][ProbeName] => {
    const since = probes.flatMap(({ seen }) => seen[name]).filter(({ atMs }) => atMs >= faultMs)
    return since.map((probe) => ({ ...probe, atMs: probe.atMs - faultMs })).sort((a, b) => a.atMs - b.atMs)
  }
  return { live: of('live'), ready: of('ready'), health: of('health') }
}
