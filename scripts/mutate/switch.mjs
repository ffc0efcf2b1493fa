// Switches mutants on and off. Instrumented files call `isActive` for each one. A process that a test starts
// takes over the mutant of its parent process.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

/** Instead of a mutant: the ids of all mutants that are evaluated are recorded, and the statements that are sent. */
const RECORD = 'record'

const directory = new URL('state/', import.meta.url)
const activeFile = (pid) => new URL(`active-${pid}`, directory)
let owner = process.pid
let active = ''
let seen = new Set()
if (isMainThread && existsSync(activeFile(process.ppid))) {
  owner = process.ppid
  active = readFileSync(activeFile(owner), 'utf8')
}

/** Activates a mutant by its id, or none if the id is empty. */
export function activate(id) {
  active = id
  seen = new Set()
  mkdirSync(directory, { recursive: true })
  writeFileSync(activeFile(process.pid), id)
  writeFileSync(new URL(`seen-${process.pid}`, directory), '')
}

export function isActive(id) {
  if (active === RECORD) record(id)
  return active === id
}

function record(id, store = () => undefined) {
  if (seen.has(id)) return
  seen.add(id)
  store()
  appendFileSync(new URL(`seen-${owner}`, directory), `${id}\n`)
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (config, ...rest) {
  const text = typeof config === 'string' ? config : config?.text
  if (active === RECORD && typeof text === 'string') {
    const id = `statements/${createHash('sha256').update(text).digest('hex')}`
    record(id, () => writeFileSync(new URL(id, import.meta.url), text))
  }
  return query.call(this, config, ...rest)
}
