// A directory is used by one process at a time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lockDirectory } from '../../src/database/embedded/lock.ts'
import { temporaryFolder } from '../support/processes/process.ts'

const LOCK = new URL('../../src/database/embedded/lock.js', import.meta.url)
/** A process that holds the lock until it is killed. */
const HOLD = `
  const { lockDirectory } = await import(process.env.LOCK)
  await lockDirectory(process.env.FOLDER)
  console.log('held')
  setInterval(() => undefined, 60_000)`

void t.test('rejects a second process and names the first', async (t) => {
  const folder = temporaryFolder()
  const unlock = await lockDirectory(folder)
  await t.rejects(lockDirectory(folder), new RegExp(`in use by process ${process.pid}`))
  await unlock()
  const again = await lockDirectory(folder)
  await again()
})

void t.test('ignores the lock of a killed process', async (t) => {
  const folder = temporaryFolder()
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLD], {
    env: { LOCK: LOCK.href, FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await t.rejects(lockDirectory(folder), new RegExp(`in use by process ${holder.pid ?? ''}`))
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  t.ok(existsSync(join(folder, 'database.lock')), 'the socket file remains')
  const unlock = await lockDirectory(folder)
  await t.rejects(lockDirectory(folder), /in use/)
  await unlock()
})

void t.test('gives a stale lock to one of several processes', async (t) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'database.lock'), '')
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(folder)))
  const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  t.equal(held.length, 1)
  for (const unlock of held) await unlock()
})

void t.test('locks a directory whose path is too long for a socket', async (t) => {
  const folder = join(temporaryFolder(), 'x'.repeat(120))
  mkdirSync(folder)
  const unlock = await lockDirectory(folder)
  await t.rejects(lockDirectory(folder), /in use/)
  await unlock()
})
