import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stepsIn, type GeneratedClient, type Prepared } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { findJavaProblem, generateWithJava, OPENAPI_GENERATOR_VERSION, writeTemplates } from './openapi-generator.ts'

const NAME = 'Java (native)'
const OPTIONS = [
  'library=native',
  'dateLibrary=legacy',
  'openApiNullable=false',
  'useJakartaEe=true',
  'invokerPackage=tawthiq',
  'apiPackage=tawthiq.api',
  'modelPackage=tawthiq.model',
]
/** The packages of Debian, with the libraries in each that clients need */
const LIBRARIES: Readonly<Record<string, string>> = {
  'libjackson2-core-java': 'jackson-core',
  'libjackson2-databind-java': 'jackson-databind',
  'libjackson2-annotations-java': 'jackson-annotations',
  'libhttpcore-java': 'httpcore',
  'libhttpclient-java': 'httpclient',
  'libhttpmime-java': 'httpmime',
  'libcommons-logging-java': 'commons-logging',
  'libjakarta-annotation-api-java': 'jakarta-annotation-api',
  'libjsr305-java': 'jsr305',
}
const TEMPLATES = 'templates/libraries/native'
const CHANGES = 'clients/java/template-changes.json'

type Change = { file: string; find: string; replace: string }

export const JAVA: GeneratedClient = { name: 'java', inCi: false, prepare }

async function prepare(): Promise<Prepared> {
  const problem = (await findJavaProblem()) ?? (await findCompilerProblem())
  if (problem) return { name: NAME, skipped: problem }
  const folder = await openFolder('java')
  const packages = await unpackDebian(folder, Object.keys(LIBRARIES))
  if ('problem' in packages) return { name: NAME, skipped: packages.problem }
  await writeTemplates(folder, ['-g', 'java', '--library', 'native', '-o', 'templates'])
  changeTemplates(folder)
  await generateWithJava(folder, 'java', OPTIONS, ['-t', 'templates'])
  copyFileSync('clients/java/Walk.java', `${folder}/Walk.java`)

  const classpath = Object.values(LIBRARIES).map((name) => `${packages.root}/usr/share/java/${name}.jar`)
  const errors = await compile(folder, classpath)
  return {
    name: NAME,
    async walk(origin) {
      const { output } = await run('java', ['-cp', [...classpath, 'classes'].join(':'), 'Walk', origin], {
        cwd: folder,
      })
      const result = { name: NAME, version: OPENAPI_GENERATOR_VERSION, document: '3.0', errors: errors.length } as const
      return { ...result, works: stepsIn(output), problems: [...errors, output].join('\n') }
    },
  }
}

async function findCompilerProblem(): Promise<string | undefined> {
  const { code } = await run('javac', ['-version'], { cwd: '.' })
  return code === 0 ? undefined : 'there is no javac'
}

/** Replaces lines of the templates that need other libraries than those of Debian, or lose what a caller sends. */
function changeTemplates(folder: string): void {
  for (const { file, find, replace } of JSON.parse(readFileSync(CHANGES, 'utf8')) as Change[]) {
    const path = join(folder, TEMPLATES, file)
    const template = readFileSync(path, 'utf8')
    if (!template.includes(find)) throw new Error(`the template ${file} does not have: ${find}`)
    writeFileSync(
      path,
      template.replaceAll(find, () => replace),
    )
  }
}

async function compile(folder: string, classpath: readonly string[]): Promise<string[]> {
  const sources = readdirSync(`${folder}/generated/src/main/java`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => `generated/src/main/java/${name}`)
  mkdirSync(`${folder}/classes`, { recursive: true })
  const args = ['-J-XX:TieredStopAtLevel=1', '-nowarn', '-proc:none', '-encoding', 'UTF-8', '-Xmaxerrs', '0']
  const given = ['-cp', classpath.join(':'), '-d', 'classes', ...sources, 'Walk.java']
  const { code, output } = await run('javac', [...args, ...given], { cwd: folder })
  const errors = output.split('\n').filter((line) => /\.java:\d+: error: /.test(line))
  if (code !== 0 && errors.length === 0) throw new Error(`the Java compiler failed: ${output.slice(-2000)}`)
  return errors
}
