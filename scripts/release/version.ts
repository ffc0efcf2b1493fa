import type { GateResult } from '../breaking/gate.ts'

export const LEVELS = ['patch', 'minor', 'major'] as const

export type Level = (typeof LEVELS)[number]

/** Returns the version that follows a version. */
export function nextVersion(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (level === 'major') return `${major + 1}.0.0`
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** Returns the version of the tree after a release, which is a pre-release of the next minor version. */
export function developmentAfter(version: string): string {
  return `${nextVersion(version, 'minor')}-dev`
}

/** Returns the lowest level that semantic versioning permits for the changes. Before 1.0.0, a minor version may break. */
export function lowestLevel(version: string, { changes = [], hasAcceptedBreaks }: GateResult): Level {
  if (hasAcceptedBreaks) return version.startsWith('0.') ? 'minor' : 'major'
  return changes.some(({ impact }) => impact === 'minor') ? 'minor' : 'patch'
}
