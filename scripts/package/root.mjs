// Writes what the image contains to a directory: `npm run package -- root <directory>`. The Dockerfile runs the same command.
// Only production is supported there: the embedded database is left out.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesOf, isUsed, manifestOf, unbundledPackages, withDependencies } from './contents.mjs'

export function writeRoot(directory) {
  const options = { isDevelopment: false }
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const path of filesOf(options)) cpSync(path, join(directory, path), { recursive: true })
  // Packages of other platforms are not installed.
  for (const path of withDependencies(unbundledPackages(options)).filter((each) => existsSync(each)))
    cpSync(path, join(directory, path), { recursive: true, filter: isUsed })
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifestOf(options), null, 2))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeRoot(process.argv[2])
}
