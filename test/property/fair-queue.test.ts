// Properties of the fair queue, over random arrivals, durations, failures and disconnections.
import fc from 'fast-check'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { fairQueue, type FairQueue } from '../../src/adapters/queues/fair-queue.ts'
import { Failure } from '../../src/domain/failure.ts'

/** One item: it arrives, runs for some steps of time and may fail; its client may disconnect while it waits. */
type Arrival = { owner: string; at: number; steps: number; fails: boolean; leavesAt: number | undefined }
type Outcome = 'done' | 'failed' | 'refused' | 'left'
type Run = { events: { owner: string; item: number; kind: 'arrived' | 'started' }[]; outcomes: Outcome[]; most: number }

const STEPS = 12
const arrivals = fc.array(
  fc.record({
    owner: fc.constantFrom('a', 'b', 'c', 'd'),
    at: fc.nat(STEPS),
    steps: fc.integer({ min: 1, max: 4 }),
    fails: fc.boolean(),
    leavesAt: fc.option(fc.nat(2 * STEPS), { nil: undefined, freq: 8 }),
  }),
  { maxLength: 30 },
)

/** Runs the arrivals in steps of time, each of which ends what is due, and then lets new items arrive. */
async function simulate(queue: FairQueue, list: readonly Arrival[]): Promise<Run> {
  const run: Run = { events: [], outcomes: [], most: 0 }
  const due = new Map<number, (() => void)[]>()
  const clients = list.map(() => new AbortController())
  let step = 0
  let running = 0
  const work = async (item: number, { owner, steps, fails }: Arrival): Promise<void> => {
    run.events.push({ owner, item, kind: 'started' })
    run.most = Math.max(run.most, ++running)
    await new Promise<void>((resolve) => due.set(step + steps, [...(due.get(step + steps) ?? []), resolve]))
    running--
    if (fails) throw new Error('planted')
  }
  const submitted: Promise<void>[] = []
  const submit = (item: number, arrival: Arrival): void => {
    run.events.push({ owner: arrival.owner, item, kind: 'arrived' })
    const requester = { owner: arrival.owner, abandoned: clients[item]?.signal }
    const ended = queue
      .run(requester, () => work(item, arrival))
      .then(
        () => 'done' as const,
        (error: unknown) => outcomeOf(error),
      )
    submitted.push(ended.then((outcome) => void (run.outcomes[item] = outcome)))
  }
  for (; submitted.length < list.length || running > 0 || step <= 2 * STEPS; step++) {
    for (const end of due.get(step) ?? []) {
      end()
      await nextTurn()
    }
    for (const [item, { leavesAt }] of list.entries()) if (leavesAt === step) clients[item]?.abort()
    for (const [item, arrival] of list.entries()) if (arrival.at === step) submit(item, arrival)
    await nextTurn()
  }
  await Promise.all(submitted)
  return run
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Failure)) return 'failed'
  return error.code === 'overloaded' ? 'refused' : 'left'
}

/** How many items of others start between the moment an item could be the next of its owner and its start. */
function overtakings({ events }: Run): number[] {
  return events.flatMap(({ owner, item, kind }, startedAt) => {
    if (kind !== 'started') return []
    const before = events.slice(0, startedAt)
    const from = Math.max(
      before.findIndex((each) => each.item === item),
      before.findLastIndex((each) => each.owner === owner && each.kind === 'started'),
    )
    return [before.slice(from).filter((each) => each.kind === 'started' && each.owner !== owner).length]
  })
}

const UNLIMITED = { waitingPerOwnerMax: 1000, waitingMax: 1000 }
const workersMax = fc.integer({ min: 1, max: 3 })

void t.test('between two items of an owner, every other owner gets at most one item per worker', async (t) => {
  await fc.assert(
    fc.asyncProperty(arrivals, workersMax, async (list, workers) => {
      const run = await simulate(fairQueue({ ...UNLIMITED, workers }), list)
      const others = new Set(list.map(({ owner }) => owner)).size - 1
      return overtakings(run).every((count) => count <= others * workers)
    }),
    { numRuns: 200 },
  )
  t.end()
})

void t.test('starts the items of one owner in FIFO order', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, workersMax, async (list, workers) => {
      const { events } = await simulate(fairQueue({ ...UNLIMITED, workers }), list)
      const started = events.filter(({ kind }) => kind === 'started').map(({ item }) => item)
      const arrived = events.filter(({ kind }) => kind === 'arrived').map(({ item }) => item)
      return ['a', 'b', 'c', 'd'].every((owner) => {
        const own = (items: number[]): number[] => items.filter((item) => list[item]?.owner === owner)
        const order = own(arrived).filter((item) => started.includes(item))
        return order.join() === own(started).join()
      })
    }),
    { numRuns: 100 },
  )
})

void t.test('runs every item, never more than there are workers, and rejects nothing without limits', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, workersMax, async (list, workers) => {
      const { outcomes, most } = await simulate(fairQueue({ ...UNLIMITED, workers }), list)
      const isRight = list.every(({ fails, leavesAt }, item) => {
        const outcome = outcomes[item]
        return outcome === (fails ? 'failed' : 'done') || (outcome === 'left' && leavesAt !== undefined)
      })
      return most <= workers && isRight
    }),
    { numRuns: 100 },
  )
})

void t.test('frees its room after failures, rejections and disconnections', async () => {
  const limits = { workers: 2, waitingPerOwnerMax: 3, waitingMax: 5 }
  const crowd = (owners: string[]): Arrival[] =>
    owners.map((owner) => ({ owner, at: 0, steps: 1, fails: false, leavesAt: undefined }))
  await fc.assert(
    fc.asyncProperty(arrivals, async (list) => {
      const queue = fairQueue(limits)
      const { outcomes, most } = await simulate(queue, list)
      const after = await simulate(queue, crowd(['a', 'a', 'a', 'a', 'a', 'b', 'b']))
      const more = await simulate(queue, crowd(['a', 'a', 'a', 'a', 'a', 'a']))
      const refused = more.outcomes.filter((outcome) => outcome === 'refused').length
      return (
        outcomes.length === list.length && most <= 2 && after.outcomes.every((each) => each === 'done') && refused === 1
      )
    }),
    { numRuns: 100 },
  )
})
