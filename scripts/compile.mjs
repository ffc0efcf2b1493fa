// Compiles TypeScript into dist/, file by file and without checking types, so that an edit compiles one file.
import { mkdirSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const FOLDERS = ['src', 'scripts', 'test', 'generated']
const SETTINGS = ['tsconfig.json', 'package-lock.json']

/** Compiles what is newer than its output, and removes the output of files that no longer exist. */
export async function compile() {
  for (const path of orphans()) for (const file of [path, `${path}.map`]) rmSync(file, { force: true })
  const settingsMs = Math.max(...SETTINGS.map((path) => statSync(path).mtimeMs))
  const changed = sources().filter((path) => Math.max(statSync(path).mtimeMs, settingsMs) >= writtenMs(outputOf(path)))
  if (changed.length === 0) return
  const { default: ts } = await import('typescript')
  const { config } = ts.readConfigFile(SETTINGS[0], ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  options.module = ts.ModuleKind.ESNext // NodeNext would look for package.json, and take a single file for CommonJS
  for (const path of changed) {
    const output = outputOf(path)
    const compiled = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions: options, fileName: path })
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(`${output}.map`, compiled.sourceMapText)
    writeFileSync(output, compiled.outputText)
  }
}

/** Returns what was compiled from files that no longer exist. */
export function orphans() {
  const present = new Set(sources().map(outputOf))
  return FOLDERS.filter((folder) => existsSync(join('dist', folder))).flatMap((folder) =>
    readdirSync(join('dist', folder), { recursive: true })
      .map((path) => join('dist', folder, path))
      .filter((path) => path.endsWith('.js') && !present.has(path)),
  )
}

function sources() {
  const paths = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path)))
  return paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
}

function outputOf(path) {
  return join('dist', path.replace(/\.ts$/, '.js'))
}

function writtenMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
