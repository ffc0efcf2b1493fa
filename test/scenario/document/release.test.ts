// A release in a temporary repository. Only the generator and the recorder of the database are replaced, by ones that copy the
// version.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import t from 'tap'
import { release, type Project } from '../../../scripts/release/release.ts'
import { nextVersion } from '../../../scripts/release/versions.ts'
import { PARTS } from '../../../scripts/verify/parts.ts'
import { hashTree, renderPage, type Result } from '../../../scripts/verify/record.ts'
import { temporaryFolder } from '../../support/processes/process.ts'

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Courts.\n'
const EXAMPLE_LOCK = 'examples/react/package-lock.json'
const COMMENT = '# The version of the document\n'

const operation = (operationId: string, summary: string): object => ({
  operationId,
  summary,
  responses: { 200: { description: 'Done.' } },
})

const documentOf = (version: string, paths: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Test', version }, paths })

const COURTS = { '/courts': { get: operation('listCourts', 'List courts') } }
const JUDGES = { '/judges': { get: operation('listJudges', 'List judges') } }

type TestProject = Project & {
  /** Commits files, and the page of a verification in which every part passed. */
  write(files: Record<string, string>): Promise<void>
  /** Commits the page of a verification. */
  verify(state: Result['state']): Promise<void>
  read(path: string): Promise<string>
}

async function openProject(): Promise<TestProject> {
  const root = temporaryFolder()
  const git = async (...args: string[]): Promise<string> => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
    return (await promisify(execFile)('git', [...identity, ...args], { cwd: root })).stdout
  }
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const generate = async (): Promise<void> => {
    const [, version = ''] = /version: (.+)/.exec(await read('openapi/openapi.yaml')) ?? []
    const { paths } = JSON.parse(await read('generated/openapi.json')) as { paths: object }
    await put('generated/openapi.json', documentOf(version, paths))
  }
  const recordDatabase = async (): Promise<void> => {
    const { version } = JSON.parse(await read('package.json')) as { version: string }
    await put('prisma/released/schema.json', JSON.stringify({ version }))
  }
  const commit = async (): Promise<void> => {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'test: change')
  }
  const verify = async (state: Result['state']): Promise<void> => {
    const result = { state: 'passed', passed: 1, failed: 0, seconds: 1 } as const
    const results = Object.fromEntries(PARTS.map(({ name }) => [name, result]))
    await put(
      'docs/verification.md',
      await renderPage(await hashTree(root), { ...results, gate: { ...result, state } }),
    )
    await commit()
  }
  const write = async (files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) await put(path, text)
    await commit()
    await verify('passed')
  }
  await git('init', '--quiet')
  const sdk = { name: '@test/sdk', version: '0.1.0' }
  const exampleLock = JSON.stringify({ version: '1.0.0', packages: { '../../sdk': sdk } })
  const app = { name: 'app', dependencies: { '@test/sdk': '0.1.0', other: '0.1.0' } }
  await write({
    'openapi/openapi.yaml': `${COMMENT}info:\n  title: Test\n  version: 0.1.0\n`,
    'generated/openapi.json': documentOf('0.1.0', COURTS),
    'openapi/released/accepted.yaml': '[]\n',
    'CHANGELOG.md': CHANGELOG,
    'package.json': JSON.stringify({ name: 'test', version: '0.1.0', workspaces: ['sdk', 'app'] }, null, 2),
    'sdk/package.json': JSON.stringify(sdk),
    'sdk/README.md': 'npm install ./test-sdk-0.1.0.tgz\n',
    'app/package.json': JSON.stringify(app),
    'README.md': '',
    'docs/deploy.md': '',
    [EXAMPLE_LOCK]: exampleLock,
    'package-lock.json': JSON.stringify({
      version: '0.1.0',
      packages: {
        '': { name: 'test', version: '0.1.0' },
        sdk,
        app,
        'node_modules/@test/sdk': { resolved: 'sdk', link: true },
        'node_modules/app': { resolved: 'app', link: true },
        'node_modules/other': { version: '0.1.0' },
      },
    }),
  })
  return { root, today: new Date('2026-11-22T10:00:00Z'), git, generate, recordDatabase, read, write, verify }
}

void t.test('releases the versions, the baseline and the changelog, and begins the next version', async (t) => {
  const project = await openProject()
  const { read, git } = project
  const { version } = await release(project, 'minor', false)
  t.equal(version, '0.2.0')
  t.equal(await git('log', '-2', '--format=%s'), 'chore: begin 0.3.0-dev\nchore: release 0.2.0\n')
  t.equal(await git('status', '--porcelain'), '')
  const expectVersion = async (version: string): Promise<void> => {
    t.equal(await read('openapi/openapi.yaml'), `${COMMENT}info:\n  title: Test\n  version: ${version}\n`)
    t.match(JSON.parse(await read('generated/openapi.json')), { info: { version } })
    t.match(JSON.parse(await read('package.json')), { version })
    t.match(JSON.parse(await read('sdk/package.json')), { version })
    t.equal(await read('sdk/README.md'), `npm install ./test-sdk-${version}.tgz\n`)
    t.match(JSON.parse(await read('app/package.json')), { dependencies: { '@test/sdk': version, other: '0.1.0' } })
    t.match(JSON.parse(await read('package-lock.json')), {
      version,
      packages: {
        '': { version },
        sdk: { version },
        app: { dependencies: { '@test/sdk': version } },
        'node_modules/other': { version: '0.1.0' },
      },
    })
    t.match(JSON.parse(await read(EXAMPLE_LOCK)), {
      version: '1.0.0',
      packages: { '../../sdk': { version } },
    })
    t.same(JSON.parse(await read('openapi/released/v1.json')), JSON.parse(documentOf('0.2.0', COURTS)))
    t.match(JSON.parse(await read('prisma/released/schema.json')), { version: '0.2.0' })
    t.match(await read('CHANGELOG.md'), '## Unreleased\n\n## 0.2.0 - 2026-11-22\n\n### Added\n\n- Courts.\n')
  }
  await expectVersion('0.3.0-dev')
  await t.rejects(release(project, 'minor', false), /no entries/, 'a release needs entries')
  await git('checkout', '--quiet', 'HEAD~1')
  await expectVersion('0.2.0')
})

void t.test('counts from the last release, not from the version of the tree', async (t) => {
  const project = await openProject()
  await release(project, 'minor', false)
  await project.write({ 'CHANGELOG.md': CHANGELOG })
  t.equal((await release(project, 'patch', true)).version, '0.2.1')
  t.equal((await release(project, 'minor', false)).version, '0.3.0')
  t.equal((JSON.parse(await project.read('package.json')) as Versioned).version, '0.4.0-dev')
})

void t.test('refuses a break, and empties the list of accepted ones', async (t) => {
  const project = await openProject()
  await release(project, 'minor', false)
  const accepted = `- { rule: path-removed, location: '#/paths/~1courts', reason: Courts have no clients. }\n`
  const files = { 'generated/openapi.json': documentOf('0.3.0-dev', JUDGES), 'CHANGELOG.md': CHANGELOG }
  await project.write(files)
  await t.rejects(
    release(project, 'minor', false),
    /breaking change.* since 0\.2\.0[^]*path-removed/,
    'a break is refused',
  )
  await project.write({ 'openapi/released/accepted.yaml': accepted })
  await t.rejects(release(project, 'patch', false), /release a minor version/)
  await release(project, 'minor', false)
  t.match(await project.read('openapi/released/accepted.yaml'), /^#[^]*\n\[\]\n$/)
})

void t.test('changes nothing in a dry run, and refuses uncommitted changes', async (t) => {
  const project = await openProject()
  const { version, files } = await release(project, 'major', true)
  t.equal(version, '1.0.0')
  t.ok(files.includes('openapi/released/v1.json') && files.includes('sdk/package.json'))
  t.equal(await project.git('status', '--porcelain'), '')
  await writeFile(join(project.root, 'note.txt'), 'a draft')
  await t.rejects(release(project, 'minor', false), /note\.txt/)
})

void t.test('refuses files on which not every part of the verification has passed', async (t) => {
  const project = await openProject()
  for (const state of ['failed', 'skipped'] as const) {
    await project.verify(state)
    await t.rejects(release(project, 'minor', false), /have not passed: gate\.$/)
  }
  await project.verify('passed')
  await writeFile(join(project.root, 'note.txt'), 'a draft')
  await project.git('add', '--all')
  await project.git('commit', '--quiet', '--message', 'docs: note')
  await t.rejects(release(project, 'minor', false), /is of other files/)
  await project.verify('passed')
  t.equal((await release(project, 'minor', false)).version, '0.2.0')
})

void t.test('counts versions', (t) => {
  t.equal(nextVersion('0.9.4', 'minor'), '0.10.0')
  t.equal(nextVersion('0.9.4', 'patch'), '0.9.5')
  t.equal(nextVersion('1.9.4', 'major'), '2.0.0')
  t.end()
})

type Versioned = { version: string; packages: Record<string, { version: string }> }

const readProject = async <T = Versioned>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T

void t.test('the document, the packages and the lock files have the same version', async (t) => {
  const { info } = await readProject<{ info: Versioned }>('generated/openapi.json')
  const { version } = info
  for (const path of ['package.json', 'sdk/package.json', 'package-lock.json'])
    t.equal((await readProject(path)).version, version, path)
  const { packages } = await readProject('package-lock.json')
  for (const folder of ['', 'sdk']) t.equal(packages[folder]?.version, version, `${folder} in package-lock.json`)
  const { packages: ofReact } = await readProject(EXAMPLE_LOCK)
  t.equal(ofReact['node_modules/@tawthiq/sdk']?.version, version)
})

void t.test('a document that differs from that of the last release has another version', async (t) => {
  const read = (path: string): Promise<{ info: Versioned }> => readProject(path)
  const [present, released] = [await read('generated/openapi.json'), await read('openapi/released/v1.json')]
  t.equal(present.info.version === released.info.version, isDeepStrictEqual(present, released))
  t.equal((await readProject('prisma/released/schema.json')).version, released.info.version)
})
