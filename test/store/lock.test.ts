// A folder belongs to one process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lockFolder } from '../../src/store/embedded/lock.ts'
import { temporaryFolder } from '../support/process.ts'

const LOCK = new URL('../../src/store/embedded/lock.js', import.meta.url)
/** A process that holds the lock until it is killed. */
const HOLD = `
  const { lockFolder } = await import(process.env.LOCK)
  await lockFolder(process.env.FOLDER)
  console.log('held')
  setInterval(() => undefined, 60_000)`

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
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD], {
    env: { LOCK: LOCK.href, FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await t.rejects(lockFolder(folder), new RegExp(`in use by process ${holder.pid ?? ''}`))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  t.ok(existsSync(join(folder, 'database.lock')), 'the socket is left behind')
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
  const folder = join(temporaryFolder(), 'x'.repeat(120))
  mkdirSync(folder)
  const unlock = await lockFolder(folder)
  await t.rejects(lockFolder(folder), /in use/)
  await unlock()
})
