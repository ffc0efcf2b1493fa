import { spawnSync } from 'node:child_process'

/** Builds the last release, and returns its directory. Ends the process with 3 if this clone does not have its commit. */
export function buildLastRelease(): string {
  const { status, stdout } = spawnSync('node', ['scripts/last-release.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
  return status === 0 ? stdout.toString().trim() : process.exit(status ?? 1)
}
