import { setTimeout as sleep } from 'node:timers/promises'
import { findFaults, findOddityFaults, type Fault } from './judge.ts'
import { newOddity } from './oddities.ts'
import { createPersonas, type Personas } from './people.ts'
import { createRandom, type Random } from './random.ts'
import { newRecipe, buildRequest, type FuzzedRequest } from './requests.ts'
import { send, sendBytes, type Reply, type Silence } from './send.ts'
import type { FuzzedService } from './service.ts'

export type Finding = {
  fault: Fault
  count: number
  /** The number of the first request that found it */
  number: number
  reproduction: FuzzedRequest | Buffer
  /** The log lines of the request */
  log: string | undefined
}

export type Outcome = {
  seed: number
  requests: number
  milliseconds: number
  /** How often each operation had each status; `odd` are those that belong to none */
  statuses: Map<string, Map<string, number>>
  overloaded: number
  findings: Map<string, Finding>
}

type Options = { seed: number; requests: number; concurrency: number; onProgress?: (done: number) => void }
type Source = Pick<Finding, 'number' | 'reproduction' | 'log'>

const ODD_SHARE = 0.1
const TRIES_MAX = 4
const RETRY_SECONDS_MAX = 10
/** A multiplier that keeps the seeds of neighbouring requests apart */
const SEED_STEP = 2_654_435_761

/** Sends generated requests, some at a time, and judges every response. The seed determines the requests. */
export async function fuzz(service: FuzzedService, options: Options): Promise<Outcome> {
  const { seed, requests, concurrency, onProgress } = options
  const startMs = performance.now()
  const outcome: Outcome = { seed, requests, milliseconds: 0, statuses: new Map(), overloaded: 0, findings: new Map() }
  const people = createPersonas(service)
  let number = 0
  let isStopped = false
  const work = async (): Promise<void> => {
    while (number < requests && !isStopped) {
      const own = number++
      const random = createRandom(seed + own * SEED_STEP)
      if (random.chance(ODD_SHARE)) await sendOddity(service, own, random, outcome)
      else await sendRecipe(service, people, own, random, outcome)
      onProgress?.(own + 1)
    }
  }
  const stop = (error: unknown): never => {
    isStopped = true
    throw error
  }
  await Promise.all(Array.from({ length: concurrency }, () => work().catch(stop)))
  return { ...outcome, milliseconds: performance.now() - startMs }
}

async function sendOddity(service: FuzzedService, number: number, random: Random, outcome: Outcome): Promise<void> {
  const { name, bytes, isHead } = newOddity(random)
  const answer = await sendBytes(service.origin, bytes)
  countResult(outcome, 'odd', answer)
  const faults = findOddityFaults(name, answer, isHead)
  note(outcome, faults, { number, reproduction: bytes, log: findLog(service, answer) })
}

async function sendRecipe(
  service: FuzzedService,
  people: Personas,
  number: number,
  random: Random,
  outcome: Outcome,
): Promise<void> {
  const recipe = newRecipe(random, people.knownBy(random))
  const token = await people.tokenOf(recipe.who, random)
  // a different address for each request, because addresses have rate limits
  const address = `10.${random.int(0, 255)}.${random.int(0, 255)}.${random.int(1, 254)}`
  const request = buildRequest(recipe, token, address)
  const answer = await sendPatiently(service.origin, request, outcome)
  if (!('silence' in answer)) {
    if (hasEnded(request, answer)) people.forget(token)
    people.learn(answer)
  }
  countResult(outcome, recipe.operation.id, answer)
  const reproduction = buildRequest(recipe, undefined, '')
  note(outcome, await findFaults(request, answer), { number, reproduction, log: findLog(service, answer) })
}

/** Retries requests with 503 responses as a client should: a service may be busy, but not for long. */
async function sendPatiently(origin: string, request: FuzzedRequest, outcome: Outcome): Promise<Reply | Silence> {
  for (let tries = 1; ; tries++) {
    const answer = await send(origin, request)
    if ('silence' in answer || answer.status !== 503 || tries === TRIES_MAX) return answer
    const seconds = Number(answer.headers['retry-after'])
    if (!(seconds > 0 && seconds <= RETRY_SECONDS_MAX)) return answer
    outcome.overloaded++
    await sleep(seconds * 1000)
  }
}

/** Returns whether the session of the token was revoked, or its account changed. */
function hasEnded({ operation }: FuzzedRequest, { status }: Reply): boolean {
  const isAdministration = operation.path.startsWith('/api/v1/admin/')
  const changes = ['changePassword', 'requestAccountDeletion', 'logout', 'updateProfile']
  return status === 401 || (status === 403 && isAdministration) || (status < 300 && changes.includes(operation.id))
}

function findLog(service: FuzzedService, answer: Reply | Silence): string | undefined {
  return 'silence' in answer ? undefined : service.findFault(answer.headers['x-request-id'] ?? '')
}

function countResult(outcome: Outcome, what: string, answer: Reply | Silence): void {
  const status = 'silence' in answer ? answer.silence : String(answer.status)
  const counts = outcome.statuses.get(what) ?? new Map<string, number>()
  counts.set(status, (counts.get(status) ?? 0) + 1)
  outcome.statuses.set(what, counts)
}

function note({ findings }: Outcome, faults: readonly Fault[], source: Source): void {
  for (const fault of faults) {
    const known = findings.get(fault.kind)
    if (known) known.count++
    else findings.set(fault.kind, { fault, count: 1, ...source })
  }
}
