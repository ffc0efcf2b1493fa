// The generators for TypeScript. Each client is compiled under `strict`, together with the code that walks it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mustRun, run } from './command.ts'
import { walkedBy, type GeneratedClient, type Prepared, type Result } from './client.ts'
import { DOCUMENTS, openFolder, versionOf, type PackageSet } from './folder.ts'
import { generateWithJava, OPENAPI_GENERATOR_VERSION, requireJava } from './openapi-generator.ts'

type Recipe = {
  inCi?: boolean
  document?: Result['document']
  /** The arguments of the generator's program, or a function that generates */
  generate: readonly [string, ...string[]] | ((folder: string) => Promise<unknown>)
}

const SOURCES = 'clients/typescript'
const SHARED = ['client.ts', 'walk.ts', 'orval-fetch.ts', 'orval.config.cjs', 'kubb.config.js']
const INPUT = DOCUMENTS['3.1']

const RECIPES: Readonly<Partial<Record<PackageSet, Recipe>>> = {
  'hey-api': { inCi: true, generate: ['openapi-ts', '-i', INPUT, '-o', 'generated', '-c', '@hey-api/client-fetch'] },
  'openapi-typescript': { inCi: true, generate: ['openapi-typescript', INPUT, '-o', 'generated/schema.ts'] },
  orval: { generate: ['orval', '--config', 'orval.config.cjs'] },
  kubb: { generate: ['kubb', 'generate', '--config', 'kubb.config.js'] },
  oazapfts: { generate: ['oazapfts', INPUT, 'generated/client.ts'] },
  'swagger-typescript-api': {
    generate: ['swagger-typescript-api', 'generate', '-p', INPUT, '-o', 'generated', '-n', 'api.ts'],
  },
  'openapi-generator': {
    document: '3.0',
    generate: (folder) => generateWithJava(folder, 'typescript-fetch', ['importFileExtension=.ts']),
  },
}

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
}

export const TYPESCRIPT_CLIENTS: readonly GeneratedClient[] = Object.entries(RECIPES).map(([name, recipe]) => ({
  name,
  inCi: recipe.inCi ?? false,
  prepare: () => prepare(name as PackageSet, recipe),
}))

async function prepare(name: PackageSet, { generate, document = '3.1' }: Recipe): Promise<Prepared> {
  if (typeof generate === 'function') await requireJava()
  const folder = await openFolder(name)
  copySources(folder, name)
  if (typeof generate === 'function') {
    await generate(folder)
  } else {
    const [program, ...args] = generate
    const env = { PATH: `${resolve('node_modules/.bin')}:${process.env['PATH'] ?? ''}` }
    await mustRun(`${folder}/node_modules/.bin/${program}`, args, { cwd: folder, env })
  }

  const errors = await listErrors(folder, name)
  const version = document === '3.0' ? OPENAPI_GENERATOR_VERSION : versionOf(name)
  const walk = [process.execPath, resolve('node_modules/tsx/dist/cli.mjs'), 'walk.ts']
  const commandFor = (origin: string): string[] => [...walk, origin, `./${name}.ts`]
  return walkedBy(commandFor, { cwd: folder }, { name, version, document }, errors)
}

function copySources(folder: string, name: string): void {
  mkdirSync(`${folder}/generated`, { recursive: true })
  for (const file of [...SHARED, `${name}.ts`]) copyFileSync(`${SOURCES}/${file}`, `${folder}/${file}`)
  const helper = /```ts\n([^]*?function formDataOf[^]*?)```/.exec(readFileSync('docs/sdks.md', 'utf8'))?.[1]
  if (helper === undefined) throw new Error(`docs/sdks.md does not have the function formDataOf`)
  writeFileSync(`${folder}/form-data.ts`, helper)
}

async function listErrors(folder: string, name: string): Promise<string[]> {
  const files = [`${name}.ts`, 'walk.ts']
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }))
  const args = [resolve('node_modules/typescript/bin/tsc'), '-p', folder]
  const { output } = await run(process.execPath, args, { cwd: folder })
  return output.split('\n').filter((line) => /error TS\d+/.test(line))
}
