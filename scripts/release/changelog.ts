const UNRELEASED = '## Unreleased'

/** Turns the section Unreleased into that of a version, below a new empty one. Throws if it has no entry. */
export function releaseChangelog(text: string, version: string, date: string): string {
  const [before = '', after] = text.split(`${UNRELEASED}\n`)
  if (after === undefined) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}".`)
  const entries = after.split(/^## /m)[0] ?? ''
  if (!/^- /m.test(entries)) throw new Error(`CHANGELOG.md has no entries below "${UNRELEASED}".`)
  return `${before}${UNRELEASED}\n\n## ${version} - ${date}\n${after}`
}
