// Clients of openapi-generator in Go, Kotlin and Python. They need packages of Debian only.
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { errorsIn, generateWithJava, javaGenerated } from './openapi-generator.ts'

/** The module that the walk in Go imports. Both need the standard library only. */
const GO_MODULE = ['--git-host', 'example.org', '--git-user-id', 'you', '--git-repo-id', 'tawthiq']
const GO_COMPILER = { packages: ['golang-1.19-go', 'golang-1.19-src'], path: 'usr/lib/go-1.19' }

export const GO = javaGenerated('go', {
  name: 'Go',
  inCi: true,
  async compile() {
    const folder = await openFolder('go')
    const compiler = await findGo(folder)
    await generateWithJava(folder, 'go', ['packageName=tawthiq'], GO_MODULE)
    for (const file of ['go.mod', 'walk.go']) copyFileSync(`clients/go/${file}`, `${folder}/${file}`)
    const env = { ...compiler.env, GOCACHE: `${folder}/cache`, GOFLAGS: '-mod=mod', GOPROXY: 'off' }
    const finished = await run(compiler.go, ['build', '-o', 'walk', '.'], { cwd: folder, env })
    return { folder, errors: errorsIn(finished, /\.go:\d+:\d+: /, 'go build'), walk: [`${folder}/walk`] }
  },
})

/** Returns the Go of the machine, or that of Debian. */
export async function findGo(folder: string): Promise<{ go: string; env: Record<string, string> }> {
  if ((await run('go', ['version'], { cwd: folder })).code === 0) return { go: 'go', env: {} }
  const unpacked = await unpackDebian(folder, GO_COMPILER.packages, 'there is no Go, and ')
  const root = `${unpacked}/${GO_COMPILER.path}`
  return { go: `${root}/bin/go`, env: { GOROOT: root } }
}

const KOTLIN_OPTIONS = ['library=jvm-okhttp3', 'serializationLibrary=gson', 'packageName=tawthiq']

export const KOTLIN = javaGenerated('kotlin', {
  name: 'Kotlin (jvm-okhttp3)',
  inCi: true,
  async compile() {
    const folder = await openFolder('kotlin')
    const root = await unpackDebian(folder, ['libokhttp-java', 'libokio-java', 'libgoogle-gson-java'])
    await generateWithJava(folder, 'kotlin', KOTLIN_OPTIONS)
    copyFileSync('clients/kotlin/Walk.kt', `${folder}/Walk.kt`)
    const libraries = ['okhttp', 'okio', 'gson'].map((name) => `${root}/usr/share/java/${name}.jar`)
    const classpath = [...libraries, `${folder}/node_modules/kotlin-compiler/lib/kotlin-stdlib.jar`].join(':')
    const errors = await compileKotlin(folder, classpath)
    return { folder, errors, walk: ['java', '-cp', `${classpath}:classes`, 'WalkKt'] }
  },
})

async function compileKotlin(folder: string, classpath: string): Promise<string[]> {
  const library = `${folder}/node_modules/kotlin-compiler/lib`
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
  async compile() {
    if (!existsSync(DEBIAN_PYTHON)) throw new Unavailable(`there is no ${DEBIAN_PYTHON}`)
    const folder = await openFolder('python')
    const root = await unpackDebian(folder, PYTHON_PACKAGES)
    await generateWithJava(folder, 'python', ['packageName=tawthiq'])
    copyFileSync('clients/python/walk.py', `${folder}/walk.py`)
    const env = { PYTHONPATH: `${folder}/generated:${root}/usr/lib/python3/dist-packages` }
    const { output } = await run(DEBIAN_PYTHON, ['-m', 'compileall', '-q', 'generated/tawthiq'], { cwd: folder, env })
    const errors = output.split('\n').filter((line) => line.startsWith('***'))
    return { folder, errors, walk: [DEBIAN_PYTHON, 'walk.py'], env }
  },
})
