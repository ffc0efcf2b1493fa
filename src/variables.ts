import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The variables of the environment, and of a file `.env` where the environment does not have them. */
export function variables(): Record<string, string | undefined> {
  return { ...dotEnv(), ...process.env }
}

function dotEnv(): Record<string, string | undefined> {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
}
