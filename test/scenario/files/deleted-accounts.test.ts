// The files of deleted accounts: the maintenance deletes them together with the accounts.
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { hmacSeals } from '../../../src/adapters/keys/audit-seals.ts'
import { sweepSchedule } from '../../../src/runtime/file-store/sweep/schedule.ts'
import type { SweepOptions, SweepResult } from '../../../src/runtime/file-store/sweep/index.ts'
import { startMaintenance } from '../../../src/runtime/maintenance.ts'
import { giveFile, image, PDF, storedKeys } from '../../support/files/files.ts'
import { openWorld, type World } from '../../support/service/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Sweep = Promise<SweepResult | undefined>

/** Runs the first round of another instance's maintenance. Returns the result of its sweep of the files, if there was one. */
async function maintainOnce({ service }: World): Promise<SweepResult | undefined> {
  const { fileStore, context } = service.app
  const { deletions } = context.store
  const deleting: Promise<number>[] = []
  const sweeps: Sweep[] = []
  const dependencies = {
    ...context,
    store: { ...context.store, deletions: { ...deletions, carryOut: () => noted(deleting, deletions.carryOut()) } },
    fileStore: { ...fileStore, sweep: (options?: SweepOptions) => noted(sweeps, fileStore.sweep(options)) },
    seals: hmacSeals([]),
  }
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const maintenance = startMaintenance(dependencies, { ...service.config, log: service.logger })
  mock.timers.tick(MINUTE_MS)
  maintenance.stop()
  mock.timers.reset()
  await Promise.all(deleting)
  await setImmediate() // the sweep begins after the deletion
  return sweeps[0]
}

function noted<Result>(list: Promise<Result>[], result: Promise<Result>): Promise<Result> {
  list.push(result)
  return result
}

void t.test('deletes the files of an account in the round that deletes the account', async (t) => {
  const world = await openWorld()
  const { prisma } = world.service.database
  const [leaves, stays] = [await world.person(), await world.person()]
  await giveFile(world, leaves.id, 'profile_photo', await image())
  await giveFile(world, leaves.id, 'cv_file', PDF)
  await giveFile(world, stays.id, 'profile_photo', await image())
  const keysOf = async (id: number): Promise<string[]> =>
    (await prisma.file.findMany({ where: { accountId: id } })).map(({ key }) => key).sort()
  const [deleted, kept] = [await keysOf(leaves.id), await keysOf(stays.id)]
  await prisma.account.update({ where: { id: leaves.id }, data: { deletionDueAt: new Date(Date.now() + 30 * DAY_MS) } })

  world.wait(30 * DAY_MS + MINUTE_MS)
  await world.service.app.fileStore.sweep() // the next hourly one is not due
  t.same((await storedKeys(world)).sort(), [...deleted, ...kept].sort())
  const swept = await maintainOnce(world)
  t.equal(await prisma.account.count({ where: { id: leaves.id } }), 0)
  t.same([...(swept?.deleted ?? [])].sort(), deleted)
  t.same(await storedKeys(world), kept)
})

void t.test('sweeps an hour apart, and at once after a request until a sweep has completed', async (t) => {
  const waits: number[] = []
  const results: (SweepResult | undefined | Error)[] = []
  const schedule = sweepSchedule({
    sweep: async ({ minutesApart = 0 } = {}) => {
      waits.push(minutesApart)
      const result = results.shift()
      if (result instanceof Error) throw result
      return result
    },
  })
  const done = { outcome: 'swept' } as SweepResult // only whether there is one matters
  await schedule.sweep()
  schedule.request()
  results.push(undefined, new Error('unavailable'), done, undefined)
  await schedule.sweep()
  await t.rejects(schedule.sweep(), { message: 'unavailable' })
  await schedule.sweep()
  await schedule.sweep()
  t.same(waits, [55, 0, 0, 0, 55])
})
