import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Returns the variables of the environment, and those of the file `.env` that the environment does not set. */
export function readEnvironment(): Record<string, string | undefined> {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...process.env }
}
