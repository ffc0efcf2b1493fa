// Makes and tries what is delivered: `npm run package -- <command>`, where a command is a file of scripts/package:
//
//   npm run -s package -- pack <directory>  a package that `npm install` can install
//   npm run package -- root <directory>     what the image contains
//   npm run package -- image <directory>    the root file system of the image, without a container engine
//   npm run package -- try                  builds the root file system of the image, and starts the service in it
//   npm run -s package -- sbom              prints a CycloneDX bill of materials
import { spawnSync } from 'node:child_process'

const COMMANDS = ['pack', 'root', 'image', 'try', 'sbom']
const NEED_DIRECTORY = ['root', 'image']

const [command, ...options] = process.argv.slice(2)
if (!COMMANDS.includes(command) || (NEED_DIRECTORY.includes(command) && options.length === 0)) {
  console.error(`Usage: npm run package -- ${COMMANDS.join('|')} [<directory>]`)
  process.exit(2)
}
const { status } = spawnSync(process.execPath, [`scripts/package/${command}.mjs`, ...options], { stdio: 'inherit' })
process.exit(status ?? 1)
