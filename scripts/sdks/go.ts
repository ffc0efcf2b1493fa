import { copyFileSync } from 'node:fs'
import { stepsIn, type GeneratedClient, type Prepared } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { findJavaProblem, generateWithJava, OPENAPI_GENERATOR_VERSION } from './openapi-generator.ts'

const NAME = 'Go'
const SOURCES = ['go.mod', 'walk.go']
/** The module that the walk imports. Both need the standard library only. */
const MODULE = ['--git-host', 'example.org', '--git-user-id', 'you', '--git-repo-id', 'tawthiq']
const COMPILER = { packages: ['golang-1.19-go', 'golang-1.19-src'], path: 'usr/lib/go-1.19' }

export const GO: GeneratedClient = { name: 'go', inCi: true, prepare }

async function prepare(): Promise<Prepared> {
  const problem = await findJavaProblem()
  if (problem) return { name: NAME, skipped: problem }
  const folder = await openFolder('go')
  const compiler = await findCompiler(folder)
  if ('problem' in compiler) return { name: NAME, skipped: compiler.problem }
  await generateWithJava(folder, 'go', ['packageName=tawthiq'], MODULE)
  for (const file of SOURCES) copyFileSync(`clients/go/${file}`, `${folder}/${file}`)

  const env = { ...compiler.env, GOCACHE: `${folder}/cache`, GOFLAGS: '-mod=mod', GOPROXY: 'off' }
  const { code, output } = await run(compiler.go, ['build', '-o', 'walk', '.'], { cwd: folder, env })
  const errors = output.split('\n').filter((line) => /\.go:\d+:\d+: /.test(line))
  if (code !== 0 && errors.length === 0) throw new Error(`go build failed: ${output.slice(-2000)}`)
  return {
    name: NAME,
    async walk(origin) {
      const { output } = await run(`${folder}/walk`, [origin], { cwd: folder })
      const result = { name: NAME, version: OPENAPI_GENERATOR_VERSION, document: '3.0', errors: errors.length } as const
      return { ...result, works: stepsIn(output), problems: [...errors, output].join('\n') }
    },
  }
}

type Compiler = { go: string; env: Record<string, string> }

/** Returns the Go of the machine, or that of Debian. */
async function findCompiler(folder: string): Promise<Compiler | { problem: string }> {
  if ((await run('go', ['version'], { cwd: folder })).code === 0) return { go: 'go', env: {} }
  const unpacked = await unpackDebian(folder, COMPILER.packages)
  if ('problem' in unpacked) return { problem: `there is no Go, and ${unpacked.problem}` }
  const root = `${unpacked.root}/${COMPILER.path}`
  return { go: `${root}/bin/go`, env: { GOROOT: root } }
}
