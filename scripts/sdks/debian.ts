import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Unavailable } from './client.ts'
import { mustRun, run } from './command.ts'

/** Downloads and unpacks packages of Debian, without installing them. Returns their root folder. */
export async function unpackDebian(folder: string, packages: readonly string[], missing = ''): Promise<string> {
  const root = resolve(folder, 'debian')
  if (existsSync(`${root}/usr`)) return root
  mkdirSync(root, { recursive: true })
  if ((await run('apt-get', ['--version'], { cwd: root })).code !== 0)
    throw new Unavailable(`${missing}there is no apt-get`)
  const download = (): ReturnType<typeof run> => run('apt-get', ['download', '-qq', ...packages], { cwd: root })
  if ((await download()).code !== 0) {
    await run('apt-get', ['update', '-qq'], { cwd: root })
    if ((await download()).code !== 0) throw new Unavailable(`${missing}apt-get cannot download ${packages.join(', ')}`)
  }
  for (const file of readdirSync(root).filter((name) => name.endsWith('.deb')))
    await mustRun('dpkg', ['-x', file, root], { cwd: root })
  return root
}
