import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mustRun } from './command.ts'

/** Generators are installed here at the time of a run. They are no dependencies of the service. */
const FOLDER = '.sdks'

export type PackageSet = keyof typeof PACKAGES

const PACKAGES = JSON.parse(readFileSync('clients/generators.json', 'utf8')) as Record<
  | 'bun'
  | 'dart'
  | 'deno'
  | 'go'
  | 'java'
  | 'kotlin'
  | 'node'
  | 'postman'
  | 'prism'
  | 'python'
  | 'swift'
  | 'tokens'
  | TypescriptGenerator,
  Record<string, string>
>

export type TypescriptGenerator =
  'hey-api' | 'openapi-typescript' | 'orval' | 'kubb' | 'oazapfts' | 'swagger-typescript-api' | 'openapi-generator'

/** Installs the packages of a generator in a folder of its own, if they are not there yet. Returns the folder. */
export async function openFolder(name: PackageSet): Promise<string> {
  const folder = resolve(FOLDER, name)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES[name] }, null, 2)
  const path = `${folder}/package.json`
  const isInstalled = existsSync(`${folder}/installed`) && readFileSync(path, 'utf8') === manifest
  if (!isInstalled) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, manifest)
    await mustRun('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'], {
      cwd: folder,
    })
    writeFileSync(`${folder}/installed`, '')
  }
  rmSync(`${folder}/generated`, { recursive: true, force: true })
  return folder
}

/** Returns the version of a package, or of the first one of a generator. */
export function versionOf(name: PackageSet, of = Object.keys(PACKAGES[name])[0] ?? ''): string {
  return PACKAGES[name][of] ?? ''
}

/** The published document, and its OpenAPI 3.0 edition */
export const DOCUMENTS = { '3.1': resolve('generated/openapi.json'), '3.0': resolve('generated/openapi-3.0.json') }
