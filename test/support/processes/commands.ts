// Runs the commands of the service like an operator, in the process of the test.
import { runHere } from './command.ts'
import type { Run } from './admin-command.ts'

const mainOf = (name: string): URL => new URL(`../../../src/cli/${name}/main.js`, import.meta.url)

/** Returns a function that runs `migrate`. */
export function migrateIn(environment: Record<string, string>): Run {
  return (...parameters) => runHere(mainOf('migrate'), environment, parameters)
}

/** Returns a function that runs `doctor`. */
export function doctorIn(environment: Record<string, string>): Run {
  return (...parameters) => runHere(mainOf('doctor'), environment, parameters)
}
