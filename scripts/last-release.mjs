// Builds the last release in .releases/<version>, unless it is there, and prints the directory: `node scripts/last-release.mjs`.
// Its version is that of prisma/released/schema.json, and its commit is the one of its tag, or of the command release.
// Exits with 3 if this clone does not have the commit.
import { execFileSync, execSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

const EXIT_MISSING = 3

const { version } = JSON.parse(readFileSync('prisma/released/schema.json', 'utf8'))
const directory = resolve('.releases', version)
if (!existsSync(directory)) buildRelease()
console.log(directory)

function buildRelease() {
  const commit = findCommit()
  if (commit === undefined) {
    console.error(
      `This clone does not have the commit of ${version}. Run git fetch --unshallow, or git fetch with its tag.`,
    )
    process.exit(EXIT_MISSING)
  }
  // Built beside its place, so that an interrupted build is repeated.
  const draft = `${directory}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  execFileSync('tar', ['-x', '-C', draft], { input: git('archive', '--format=tar', commit) })
  // without the settings that npm gives to its scripts, which name this project
  const env = Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_'))
  const options = { cwd: draft, stdio: ['ignore', 2, 2], env: Object.fromEntries(env) }
  execSync('npm ci --no-audit --no-fund && npm run build', options)
  renameSync(draft, directory)
}

function findCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--quiet', '--verify', `v${version}^{commit}`])
  if (status === 0) return stdout.toString().trim()
  const subject = `^chore: release ${version.replaceAll('.', '\\.')}$`
  return git('log', '--all', '--format=%H', '--max-count=1', `--grep=${subject}`).toString().trim() || undefined
}

function git(...args) {
  return execFileSync('git', args, { maxBuffer: 1024 ** 3 })
}
