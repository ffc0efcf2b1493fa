// Compiles TypeScript into dist/, file by file and without checking types, so that an edit compiles one file.
import { mkdirSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const FOLDERS = ['src', 'scripts', 'test', 'generated']
const SETTINGS = 'tsconfig.json'

/**
 * Compiles the files that changed, or all of them, and removes the output of files that no longer exist. An output has the
 * time of its source, so that one that is edited meanwhile, or replaced by an older file, is compiled again.
 */
export async function compile({ all }) {
  for (const path of orphans()) for (const file of [path, `${path}.map`]) rmSync(file, { force: true })
  const changed = sources().filter((path) => all || modifiedMs(path) !== modifiedMs(outputOf(path)))
  if (changed.length === 0) return
  const compileText = await openCompiler()
  for (const path of changed) {
    const output = outputOf(path)
    const modified = new Date(modifiedMs(path))
    const compiled = compileText(readFileSync(path, 'utf8'), path)
    mkdirSync(dirname(output), { recursive: true })
    writeFileSync(`${output}.map`, compiled.sourceMapText)
    writeFileSync(output, compiled.outputText)
    utimesSync(output, modified, modified)
  }
}

/** Returns the function that compiles the text of a file. */
export async function openCompiler() {
  const { default: ts } = await import('typescript')
  const { config } = ts.readConfigFile(SETTINGS, ts.sys.readFile)
  const { options: compilerOptions } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  compilerOptions.module = ts.ModuleKind.ESNext // NodeNext would look for package.json, and take a single file for CommonJS
  return (text, fileName) => ts.transpileModule(text, { compilerOptions, fileName, reportDiagnostics: true })
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

/** Returns the path of a compiled file. */
export function outputOf(path) {
  return join('dist', path.replace(/\.ts$/, '.js'))
}

/** Returns the time of the last change in whole milliseconds; undefined for a file that does not exist. */
function modifiedMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && Math.round(stats.mtimeMs)
}
