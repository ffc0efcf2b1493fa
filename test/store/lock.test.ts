// A folder belongs to one process.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { lockFolder } from '../../src/store/embedded/lock.ts'
import { temporaryFolder } from '../support/process.ts'

void t.test('the second one is refused, and told by whom', async (t) => {
  const folder = temporaryFolder()
  const unlock = await lockFolder(folder)
  await t.rejects(lockFolder(folder), new RegExp(`in use by process ${process.pid}`))
  await unlock()
  const again = await lockFolder(folder)
  await again()
})

void t.test('what a killed process left behind is no lock', async (t) => {
  const folder = temporaryFolder()
  const left = createServer().listen(join(folder, 'database.lock'))
  await new Promise((resolve) => left.once('listening', resolve))
  left.close()
  writeFileSync(join(folder, 'database.lock'), '')
  const unlock = await lockFolder(folder)
  await t.rejects(lockFolder(folder), /in use/)
  await unlock()
})

void t.test('of many who find a lock that is left behind, one gets it', async (t) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'database.lock'), '')
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
  const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  t.equal(held.length, 1)
  for (const unlock of held) await unlock()
})

void t.test('a folder whose path is too long for a socket', async (t) => {
  const { mkdirSync } = await import('node:fs')
  const folder = join(temporaryFolder(), 'x'.repeat(120))
  mkdirSync(folder)
  const unlock = await lockFolder(folder)
  await t.rejects(lockFolder(folder), /in use/)
  await unlock()
})
