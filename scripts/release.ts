// Releases a version: `npm run release -- minor`. With --dry-run it only prints what it would do. It writes the baselines of
// the document and of the database, with which later versions are compared. The latter needs PostgreSQL at DATABASE_URL.
// `npm run release -- baseline <directory>` only writes that of the version that is built in the directory.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { release, ReleaseRefused } from './release/release.ts'
import { LEVELS } from './release/versions.ts'

const run = promisify(execFile)
const level = LEVELS.find((each) => process.argv.includes(each))
const [command = '', directory] = process.argv.slice(2)
const isDryRun = process.argv.includes('--dry-run')

const project = {
  root: '.',
  today: new Date(),
  git: async (...args: string[]): Promise<string> => (await run('git', args)).stdout,
  generate: async (): Promise<void> => {
    await run('npm', ['run', 'generate', '--', '--no-lint'])
  },
  recordDatabase: async (): Promise<void> => {
    await run('node', ['scripts/build.mjs', '--if-stale'])
    const baselineOf = command === 'baseline' && directory !== undefined ? [directory] : []
    await run('node', ['--enable-source-maps', 'dist/scripts/baseline.js', ...baselineOf], { maxBuffer: 1024 ** 3 })
  },
}

try {
  if (command === 'baseline') {
    await project.recordDatabase()
    process.exit()
  }
  if (!level)
    throw new ReleaseRefused(
      `Usage: npm run release -- ${LEVELS.join('|')} [--dry-run], or npm run release -- baseline [<directory>]`,
    )
  const { version, files } = await release(project, level, isDryRun)
  console.log(`${isDryRun ? 'Would release' : 'Released'} ${version}: ${files.join(', ')}.`)
  if (!isDryRun)
    console.log(
      `\nTag the commit of the release:\n\n  git tag --annotate v${version} --message 'Tawthiq ${version}' HEAD~1`,
    )
} catch (error) {
  console.error(error instanceof ReleaseRefused ? error.message : error)
  process.exitCode = 1
}
