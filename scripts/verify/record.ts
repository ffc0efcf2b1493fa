// The results of the parts on one state of the files, and the page that lists them.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { PARTS, type Part } from './parts.ts'

export const FOLDER = '.verify'
const RESULTS = `${FOLDER}/results.json`
const PAGE = 'docs/verification.md'
const TREE = /^- Tree: `(\w+)`/m
const run = promisify(execFile)

export type Result = Readonly<{
  state: 'passed' | 'failed' | 'skipped'
  passed: number
  failed: number
  seconds: number
  reason?: string
}>
type Results = Record<string, Result>

/** Returns a hash of all files, except the page, as git would commit them. */
export async function hashTree(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tawthiq-index-'))
  const index = join(folder, 'index')
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: root, env: { ...process.env, GIT_INDEX_FILE: index } })
    return stdout.trim()
  }
  try {
    await git('read-tree', 'HEAD')
    await git('add', '--all')
    await git('rm', '--cached', '--quiet', '--ignore-unmatch', PAGE)
    return await git('write-tree')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns why the page does not show that every part has passed on these files; undefined if it does. */
export async function explainUnverified(root: string): Promise<string | undefined> {
  const tree = await hashTree(root)
  const page = await readFile(join(root, PAGE), 'utf8').catch(() => '')
  if (TREE.exec(page)?.[1] !== tree) return `${PAGE} is of other files. Run npm run verify, and commit the page.`
  const listed = new Map([...page.matchAll(/^\| `(\S+)` .*\| (\w+) +\|/gm)].map(([, name, state]) => [name, state]))
  const missing = PARTS.filter(({ name }) => listed.get(name) !== 'passed').map(({ name }) => name)
  return missing.length === 0 ? undefined : `These parts of npm run verify have not passed: ${missing.join(', ')}.`
}

export type RunRecord = Readonly<{
  hasPassed(name: string): boolean
  note(part: Part, result: Result): Promise<void>
  /** Writes the page if every part has a result, unless files have changed since the run began. */
  write(): Promise<void>
}>

/** Opens the results of earlier runs on the same files. */
export function openRecord(tree: string): RunRecord {
  const stored = read()
  const results = stored.tree === tree ? stored.results : {}
  const isSame = async (): Promise<boolean> => (await hashTree('.')) === tree
  return {
    hasPassed: (name) => results[name]?.state === 'passed',
    async note({ name }, result) {
      results[name] = result
      if (await isSame()) writeFileSync(RESULTS, JSON.stringify({ tree, results }, null, 2))
    },
    async write() {
      const missing = PARTS.filter(({ name }) => !(name in results)).map(({ name }) => name)
      if (!(await isSame())) console.log('Files have changed during the run. Its results are not recorded.')
      else if (missing.length > 0) console.log(`Not run on these files yet: ${missing.join(', ')}`)
      else writeFileSync(PAGE, await renderPage(tree, results))
    },
  }
}

function read(): { tree?: string; results: Results } {
  try {
    return JSON.parse(readFileSync(RESULTS, 'utf8')) as { tree: string; results: Results } // as `note` writes it
  } catch {
    return { results: {} } // the first run
  }
}

export async function renderPage(tree: string, results: Results): Promise<string> {
  const { stdout: commit } = await run('git', ['rev-parse', '--short', 'HEAD'])
  const [{ model } = { model: arch() }] = cpus()
  const rows = PARTS.map(({ name, shows }) => {
    const { state, seconds, passed, reason } = results[name] ?? {}
    const tests = passed !== undefined && passed > 1 ? `, ${passed} tests` : ''
    return `| \`${name}\` | ${shows} | ${state} | ${seconds} s${tests}${reason === undefined ? '' : `, ${reason}`} |`
  })
  const text = [
    '# Verification',
    'The results of the last complete `npm run verify`, which writes this page. A release requires that every part has passed on the files that are released.',
    [
      `- Tree: \`${tree}\`, the hash of all files except this page, on the commit \`${commit.trim()}\``,
      `- Date: ${new Date().toISOString().slice(0, 10)}`,
      `- Machine: ${cpus().length} × ${model.trim()}, Linux ${release()}, Node.js ${process.versions.node}`,
    ].join('\n'),
    ['| Part | Shows that | Result | Time |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}
