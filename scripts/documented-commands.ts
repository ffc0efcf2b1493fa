// Runs the shell blocks of the pages for operators on a new Debian system, in order, as an operator who pastes them:
// `npm run documented-commands`. The first line of a block can say how it is run: `# As the user postgres`,
// `# Runs until Ctrl+C` for a service, or `# Needs Docker: not run by the tests of this page`. Needs Linux, root and mmdebstrap.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readBlocks, readSql, scriptOf, type Block } from './documented-commands/blocks.ts'
import { runSession, type Session } from './load/session.ts'

const PAGES = ['deploy', 'operate', 'monitoring', 'importing', 'backup'].map((name) => `docs/${name}.md`)
const SOURCE = '/usr/src/tawthiq'
const RELEASE = 'bookworm'
const PACKAGES = ['curl', 'iproute2', 'kubernetes-client', 'postgresql', 'redis-server', 'rsync']
const NODE = [`node-linux-${process.arch}@24`, 'npm@11']
const NAMESPACES = ['--mount', '--net', '--ipc', '--pid', '--fork', '--kill-child']
/** Writes to the source directory stay in memory, and npm finds what it installs in its cache. */
const ENTER = `ip link set lo up
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/mnt"
mkdir "$0/mnt/upper" "$0/mnt/work"
mount -t overlay -o "lowerdir=$1,upperdir=$0/mnt/upper,workdir=$0/mnt/work" overlay "$0${SOURCE}"
exec chroot "$0" env -i HOME=/root USER=root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
  LANG=C.UTF-8 npm_config_offline=true sh -c 'cd ${SOURCE} && exec bash -eo pipefail /blocks/run.sh'`

await runSession('documented-commands', run)

/** Returns whether each block is run without an error, or has a mark that says why it is not run. */
async function run({ folder }: Session): Promise<boolean> {
  const blocks = PAGES.flatMap((page) => readBlocks(page, readFileSync(page, 'utf8')))
  const root = join(folder, 'root')
  install(root, folder)
  writeBlocks(root, blocks)
  const child = spawn('unshare', [...NAMESPACES, 'sh', '-ec', ENTER, root, process.cwd()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close') as Promise<[status: number | null]>
  const begun: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    if (line.startsWith('## ')) begun.push(line.slice(3))
  }
  const [status] = await closed
  const refused = blocks.filter(({ kind }) => kind === 'refused').map(({ at }) => `${at}, whose mark does not apply`)
  const failed = status === 0 ? [] : [begun.at(-1) ?? 'scripts/documented-commands/prepare.sh']
  for (const at of [...refused, ...failed]) console.log(`FAILED ${at}`)
  console.log(`${blocks.filter(({ kind }) => kind === 'skipped').length} blocks are marked as not run`)
  console.log(`${begun.length - failed.length} passed, ${refused.length + failed.length} failed`)
  return refused.length + failed.length === 0
}

/** Makes a Debian system with Node.js, PostgreSQL and Redis, and fills the cache of npm. */
function install(root: string, folder: string): void {
  const run = (file: string, ...args: string[]): string =>
    execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const packages = ['--variant=minbase', `--include=${PACKAGES.join(',')}`]
  run('unshare', '--mount', 'mmdebstrap', '--quiet', ...packages, RELEASE, root)
  const npm = ['install', '--silent', '--prefer-offline', '--ignore-scripts']
  run('npm', ...npm, '--global', '--prefix', join(root, 'usr'), ...NODE)
  const packed = run(process.execPath, 'scripts/package/pack.mjs', folder)
  run('npm', ...npm, '--cache', join(root, 'root/.npm'), '--prefix', join(folder, 'cached'), packed)
}

function writeBlocks(root: string, blocks: readonly Block[]): void {
  const directory = join(root, 'blocks')
  for (const each of [join(directory, 'docs'), join(root, SOURCE)]) mkdirSync(each, { recursive: true })
  for (const { at, text } of blocks) writeFileSync(join(directory, at), text)
  writeFileSync(join(directory, 'roles.sql'), readSql(readFileSync('docs/operate.md', 'utf8')))
  writeFileSync(join(directory, 'run.sh'), scriptOf(blocks))
  copyFileSync('scripts/documented-commands/prepare.sh', join(directory, 'prepare.sh'))
}
