import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { mustRun, run } from './command.ts'

/**
 * Downloads and unpacks packages of Debian, without installing them. Returns their root folder, or why they cannot be had.
 */
export async function unpackDebian(
  folder: string,
  packages: readonly string[],
): Promise<{ root: string } | { problem: string }> {
  const root = resolve(folder, 'debian')
  if (existsSync(`${root}/usr`)) return { root }
  mkdirSync(root, { recursive: true })
  if ((await run('apt-get', ['--version'], { cwd: root })).code !== 0) return { problem: 'there is no apt-get' }
  const download = (): ReturnType<typeof run> => run('apt-get', ['download', '-qq', ...packages], { cwd: root })
  if ((await download()).code !== 0) {
    await run('apt-get', ['update', '-qq'], { cwd: root })
    if ((await download()).code !== 0) return { problem: `apt-get cannot download ${packages.join(', ')}` }
  }
  for (const file of readdirSync(root).filter((name) => name.endsWith('.deb')))
    await mustRun('dpkg', ['-x', file, root], { cwd: root })
  return { root }
}
