import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { errorsIn, generateWithJava, javaGenerated, runGenerator } from './openapi-generator.ts'

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

export const JAVA = javaGenerated('java', {
  name: 'Java (native)',
  inCi: false,
  async compile() {
    if ((await run('javac', ['-version'], { cwd: '.' })).code !== 0) throw new Unavailable('there is no javac')
    const folder = await openFolder('java')
    const root = await unpackDebian(folder, Object.keys(LIBRARIES))
    await runGenerator(folder, ['author', 'template', '-g', 'java', '--library', 'native', '-o', 'templates'])
    changeTemplates(folder)
    await generateWithJava(folder, 'java', OPTIONS, ['-t', 'templates'])
    copyFileSync('clients/java/Walk.java', `${folder}/Walk.java`)
    const classpath = Object.values(LIBRARIES).map((name) => `${root}/usr/share/java/${name}.jar`)
    const errors = await compile(folder, classpath)
    return { folder, errors, walk: ['java', '-cp', [...classpath, 'classes'].join(':'), 'Walk'] }
  },
})

/** Replaces lines of the templates that need other libraries than those of Debian, or lose what a caller sends. */
function changeTemplates(folder: string): void {
  for (const { file, find, replace } of JSON.parse(readFileSync(CHANGES, 'utf8')) as Change[]) {
    const path = join(folder, TEMPLATES, file)
    const template = readFileSync(path, 'utf8')
    if (!template.includes(find)) throw new Error(`the template ${file} does not have: ${find}`)
    writeFileSync(path, template.split(find).join(replace))
  }
}

async function compile(folder: string, classpath: readonly string[]): Promise<string[]> {
  const sources = readdirSync(`${folder}/generated/src/main/java`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.java'))
    .map((name) => `generated/src/main/java/${name}`)
  mkdirSync(`${folder}/classes`, { recursive: true })
  const args = ['-J-XX:TieredStopAtLevel=1', '-nowarn', '-proc:none', '-encoding', 'UTF-8', '-Xmaxerrs', '0']
  const given = ['-cp', classpath.join(':'), '-d', 'classes', ...sources, 'Walk.java']
  return errorsIn(await run('javac', [...args, ...given], { cwd: folder }), /\.java:\d+: error: /, 'the Java compiler')
}
