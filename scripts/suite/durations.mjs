// The time that each test file took in the last run, so that the longest ones begin first and all processes end at about
// the same time.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'dist/test-durations.json'
/** The longest files of a first run, in milliseconds */
const FIRST = {
  'scenario/admin/import.test.js': 23_000,
  'scenario/auth/sms-faults.test.js': 21_000,
  'scenario/accounts/export.test.js': 15_000,
  'scenario/accounts/registration-kills.test.js': 14_000,
  'scenario/auth/timing.test.js': 14_000,
  'scenario/files/storage-faults.test.js': 14_000,
  'scenario/document/guides.test.js': 13_000,
  'scenario/auth/rate-limits.test.js': 12_000,
  'scenario/runtime/start.test.js': 12_000,
  'scenario/runtime/mail-kills.test.js': 11_000,
}

const durations = { ...FIRST, ...read() }

/** Compares files for a sort, longest first. */
export function byDuration(one, other) {
  return (durations[other] ?? 0) - (durations[one] ?? 0)
}

export function noteDuration(file, ms) {
  durations[file] = ms
}

export function storeDurations() {
  writeFileSync(FILE, JSON.stringify(durations))
}

function read() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'))
  } catch {
    return {} // the first run
  }
}
