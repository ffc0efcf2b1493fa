// The time and the CPU time that each test file took in the last run. Files that mostly wait and files that mostly compute
// run beside each other, so that all processors are in use; the longest begin first, so that all processes end at about the
// same time.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'dist/test-times.json'
const durations = read()

/** Returns the files that wait for most of their time and the others, each longest first. */
export function groupFiles(files) {
  const sorted = files.toSorted((one, other) => durationOf(other).ms - durationOf(one).ms)
  return { waiting: sorted.filter(isWaiting), busy: sorted.filter((file) => !isWaiting(file)) }
}

export function noteDuration(file, { ms, cpuMs }) {
  durations[file] = { ms, cpuMs }
}

export function timesOf({ ms, cpuMs }) {
  return `${(ms / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s of CPU`
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
