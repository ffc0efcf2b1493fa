// The time and the CPU time that each test file took in the last run. Files that mostly wait and files that mostly compute
// run beside each other, so that all processors are in use; the longest begin first, so that all processes end at about the
// same time.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'dist/test-times.json'
/** The longest files of a first run, in milliseconds */
const FIRST = {
  'scenario/auth/sms-faults.test.js': { ms: 10_000, cpuMs: 4_000 },
  'scenario/document/events.test.js': { ms: 15_000, cpuMs: 5_000 },
  'scenario/files/storage-faults.test.js': { ms: 12_000, cpuMs: 3_000 },
  'http/envelope.test.js': { ms: 11_000, cpuMs: 2_000 },
  'scenario/document/guides.test.js': { ms: 8_000, cpuMs: 2_000 },
  'scenario/runtime/mail-kills.test.js': { ms: 7_000, cpuMs: 3_000 },
  'http/connections/watchdog.test.js': { ms: 7_000, cpuMs: 1_000 },
  'scenario/runtime/mail-delivery.test.js': { ms: 6_000, cpuMs: 2_000 },
  'scenario/auth/sms-providers.test.js': { ms: 6_000, cpuMs: 500 },
  'scenario/auth/timing.test.js': { ms: 10_000, cpuMs: 10_000 },
  'scenario/accounts/export.test.js': { ms: 6_000, cpuMs: 5_000 },
  'scenario/auth/rate-limits.test.js': { ms: 6_000, cpuMs: 6_000 },
}

const durations = { ...FIRST, ...read() }

/** Returns the files that wait for most of their time and the others, each longest first. */
export function groupFiles(files) {
  const sorted = files.toSorted((one, other) => durationOf(other).ms - durationOf(one).ms)
  return { waiting: sorted.filter(isWaiting), busy: sorted.filter((file) => !isWaiting(file)) }
}

export function noteDuration(file, { ms, cpuMs }) {
  durations[file] = { ms, cpuMs }
}

export function storeDurations() {
  writeFileSync(FILE, JSON.stringify(durations))
}

function isWaiting(file) {
  const { ms, cpuMs } = durationOf(file)
  return cpuMs < ms / 2
}

function durationOf(file) {
  return durations[file] ?? { ms: 0, cpuMs: 0 }
}

function read() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {} // the first run
  }
}
