// Clients of openapi-generator in Go, Java, Kotlin and Python. They need packages of Debian only.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './folder.ts'
import { errorsIn, generateWithJava, javaGenerated, runGenerator } from './openapi-generator.ts'

/** The module that the walk in Go imports. Both need the standard library only. */
const GO_MODULE = ['--git-host', 'example.org', '--git-user-id', 'you', '--git-repo-id', 'tawthiq']

export const GO = javaGenerated('go', {
  name: 'Go',
  inCi: true,
  async compile(folder) {
    const compiler = await findGo(folder)
    await generateWithJava(folder, 'go', ['packageName=tawthiq'], GO_MODULE)
    for (const file of ['go.mod', 'walk.go']) copyFileSync(`clients/go/${file}`, `${folder}/${file}`)
    const env = { ...compiler.env, GOCACHE: `${folder}/cache`, GOFLAGS: '-mod=mod', GOPROXY: 'off' }
    const finished = await run(compiler.go, ['build', '-o', 'walk', '.'], { cwd: folder, env })
    return { errors: errorsIn(finished, /\.go:\d+:\d+: /, 'go build'), walk: [`${folder}/walk`] }
  },
})

/** Returns the Go of the machine, or that of Debian. */
export async function findGo(folder: string): Promise<{ go: string; env: Record<string, string> }> {
  if ((await run('go', ['version'], { cwd: folder })).code === 0) return { go: 'go', env: {} }
  const unpacked = await unpackDebian(folder, ['golang-1.19-go', 'golang-1.19-src'], 'there is no Go, and ')
  const root = `${unpacked}/usr/lib/go-1.19`
  return { go: `${root}/bin/go`, env: { GOROOT: root } }
}

const JAVA_OPTIONS = [
  'library=native',
  'dateLibrary=legacy',
  'openApiNullable=false',
  'useJakartaEe=true',
  'invokerPackage=tawthiq',
  'apiPackage=tawthiq.api',
  'modelPackage=tawthiq.model',
]
/** The packages of Debian, with the libraries in each that clients in Java need */
const JAVA_LIBRARIES: Readonly<Record<string, string>> = {
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

export const JAVA = javaGenerated('java', {
  name: 'Java (native)',
  inCi: false,
  async compile(folder) {
    if ((await run('javac', ['-version'], { cwd: '.' })).code !== 0) throw new Unavailable('there is no javac')
    const root = await unpackDebian(folder, Object.keys(JAVA_LIBRARIES))
    await runGenerator(folder, ['author', 'template', '-g', 'java', '--library', 'native', '-o', 'templates'])
    changeTemplates(join(folder, 'templates/libraries/native'))
    await generateWithJava(folder, 'java', JAVA_OPTIONS, ['-t', 'templates'])
    copyFileSync('clients/java/Walk.java', `${folder}/Walk.java`)
    const classpath = jarsOf(root, Object.values(JAVA_LIBRARIES))
    const errors = await compileJava(folder, classpath)
    return { errors, walk: ['java', '-cp', [...classpath, 'classes'].join(':'), 'Walk'] }
  },
})

function jarsOf(root: string, names: readonly string[]): string[] {
  return names.map((name) => `${root}/usr/share/java/${name}.jar`)
}

/** Replaces lines of the templates that need other libraries than those of Debian, or lose what a caller sends. */
function changeTemplates(templates: string): void {
  const changes: unknown = JSON.parse(readFileSync('clients/java/template-changes.json', 'utf8'))
  for (const { file, find, replace } of changes as { file: string; find: string; replace: string }[]) {
    const path = join(templates, file)
    const template = readFileSync(path, 'utf8')
    if (!template.includes(find)) throw new Error(`the template ${file} does not have: ${find}`)
    writeFileSync(
      path,
      template.replaceAll(find, () => replace),
    )
  }
}

async function compileJava(folder: string, classpath: readonly string[]): Promise<string[]> {
  const sources = readdirSync(`${folder}/generated/src/main/java`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => `generated/src/main/java/${name}`)
  mkdirSync(`${folder}/classes`, { recursive: true })
  const args = ['-J-XX:TieredStopAtLevel=1', '-nowarn', '-proc:none', '-encoding', 'UTF-8', '-Xmaxerrs', '0']
  const given = ['-cp', classpath.join(':'), '-d', 'classes', ...sources, 'Walk.java']
  return errorsIn(await run('javac', [...args, ...given], { cwd: folder }), /\.java:\d+: error: /, 'the Java compiler')
}

const KOTLIN_OPTIONS = ['library=jvm-okhttp3', 'serializationLibrary=gson', 'packageName=tawthiq']

export const KOTLIN = javaGenerated('kotlin', {
  name: 'Kotlin (jvm-okhttp3)',
  inCi: true,
  async compile(folder) {
    const root = await unpackDebian(folder, ['libokhttp-java', 'libokio-java', 'libgoogle-gson-java'])
    await generateWithJava(folder, 'kotlin', KOTLIN_OPTIONS)
    copyFileSync('clients/kotlin/Walk.kt', `${folder}/Walk.kt`)
    const library = `${folder}/node_modules/kotlin-compiler/lib`
    const classpath = [...jarsOf(root, ['okhttp', 'okio', 'gson']), `${library}/kotlin-stdlib.jar`].join(':')
    const errors = await compileKotlin(folder, library, classpath)
    return { errors, walk: ['java', '-cp', `${classpath}:classes`, 'WalkKt'] }
  },
})

async function compileKotlin(folder: string, library: string, classpath: string): Promise<string[]> {
  const jars = readdirSync(library).filter((name) => name.endsWith('.jar') && !/sources|plugin|js|scripting/.test(name))
  const compiler = jars.map((name) => join(library, name)).join(':')
  const program = ['-cp', compiler, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler']
  const given = ['-no-stdlib', '-no-reflect', '-nowarn', '-cp', classpath, '-d', 'classes']
  const args = ['-Xmx1g', '-XX:TieredStopAtLevel=1', ...program, ...given, 'generated/src/main/kotlin', 'Walk.kt']
  return errorsIn(await run('java', args, { cwd: folder }), /\berror: /, 'the Kotlin compiler')
}

const PYTHON_PACKAGES = ['urllib3', 'pydantic', 'dateutil', 'typing-extensions', 'six'].map((name) => `python3-${name}`)
/** The interpreter that the packages of Debian are built for */
export const DEBIAN_PYTHON = '/usr/bin/python3'

export const PYTHON = javaGenerated('python', {
  name: 'Python',
  inCi: true,
  async compile(folder) {
    if (!existsSync(DEBIAN_PYTHON)) throw new Unavailable(`there is no ${DEBIAN_PYTHON}`)
    const root = await unpackDebian(folder, PYTHON_PACKAGES)
    await generateWithJava(folder, 'python', ['packageName=tawthiq'])
    copyFileSync('clients/python/walk.py', `${folder}/walk.py`)
    const env = { PYTHONPATH: `${folder}/generated:${root}/usr/lib/python3/dist-packages` }
    const { output } = await run(DEBIAN_PYTHON, ['-m', 'compileall', '-q', 'generated/tawthiq'], { cwd: folder, env })
    const errors = output.split('\n').filter((line) => line.startsWith('***'))
    return { errors, walk: [DEBIAN_PYTHON, 'walk.py'], env }
  },
})
