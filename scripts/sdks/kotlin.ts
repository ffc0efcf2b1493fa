import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stepsIn, type GeneratedClient, type Prepared } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { findJavaProblem, generateWithJava, OPENAPI_GENERATOR_VERSION } from './openapi-generator.ts'

const NAME = 'Kotlin (jvm-okhttp3)'
const OPTIONS = ['library=jvm-okhttp3', 'serializationLibrary=gson', 'packageName=tawthiq']
const RUNTIME = ['okhttp', 'okio', 'gson']
const COMPILER = 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler'

export const KOTLIN: GeneratedClient = { name: 'kotlin', inCi: true, prepare }

async function prepare(): Promise<Prepared> {
  const problem = await findJavaProblem()
  if (problem) return { name: NAME, skipped: problem }
  const folder = await openFolder('kotlin')
  const packages = await unpackDebian(folder, ['libokhttp-java', 'libokio-java', 'libgoogle-gson-java'])
  if ('problem' in packages) return { name: NAME, skipped: packages.problem }
  await generateWithJava(folder, 'kotlin', OPTIONS)
  copyFileSync('clients/kotlin/Walk.kt', `${folder}/Walk.kt`)

  const libraries = RUNTIME.map((name) => `${packages.root}/usr/share/java/${name}.jar`)
  const classpath = [...libraries, `${folder}/node_modules/kotlin-compiler/lib/kotlin-stdlib.jar`].join(':')
  const errors = await compile(folder, classpath)
  return {
    name: NAME,
    async walk(origin) {
      const { output } = await run('java', ['-cp', `${classpath}:classes`, 'WalkKt', origin], { cwd: folder })
      const result = { name: NAME, version: OPENAPI_GENERATOR_VERSION, document: '3.0', errors: errors.length } as const
      return { ...result, works: stepsIn(output), problems: [...errors, output].join('\n') }
    },
  }
}

async function compile(folder: string, classpath: string): Promise<string[]> {
  const library = `${folder}/node_modules/kotlin-compiler/lib`
  const jars = readdirSync(library).filter((name) => name.endsWith('.jar') && !/sources|plugin|js|scripting/.test(name))
  const compiler = jars.map((name) => join(library, name)).join(':')
  const given = ['-no-stdlib', '-no-reflect', '-nowarn', '-cp', classpath, '-d', 'classes']
  const args = ['-Xmx1g', '-XX:TieredStopAtLevel=1', '-cp', compiler, COMPILER, ...given]
  const { code, output } = await run('java', [...args, 'generated/src/main/kotlin', 'Walk.kt'], { cwd: folder })
  const errors = output.split('\n').filter((line) => /\berror: /.test(line))
  if (code !== 0 && errors.length === 0) throw new Error(`the Kotlin compiler failed: ${output.slice(-2000)}`)
  return errors
}
