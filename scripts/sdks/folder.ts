// Generators and libraries are downloaded at the time of a run. They are no dependencies of the service.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type generators from '../../clients/generators.json'
import { Unavailable } from './client.ts'
import { mustRun, run } from './command.ts'

export type PackageSet = keyof typeof generators

const PACKAGES = JSON.parse(readFileSync('clients/generators.json', 'utf8')) as Record<
  PackageSet,
  Record<string, string>
>

/** The published document, and its OpenAPI 3.0 edition */
export const DOCUMENTS = { '3.1': resolve('generated/openapi.json'), '3.0': resolve('generated/openapi-3.0.json') }

/** Installs the packages of a generator in a folder of its own, if they are not there yet. Returns the folder. */
export async function openFolder(name: PackageSet): Promise<string> {
  const folder = resolve('.sdks', name)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES[name] }, null, 2)
  const path = `${folder}/package.json`
  const isInstalled = existsSync(`${folder}/installed`) && readFileSync(path, 'utf8') === manifest
  if (!isInstalled) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, manifest)
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    await mustRun('npm', ['install', ...options], { cwd: folder })
    writeFileSync(`${folder}/installed`, '')
  }
  rmSync(`${folder}/generated`, { recursive: true, force: true })
  return folder
}

/** Returns the version of a package, or of the first one of a generator. */
export function versionOf(name: PackageSet, of = Object.keys(PACKAGES[name])[0] ?? ''): string {
  return PACKAGES[name][of] ?? ''
}

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
