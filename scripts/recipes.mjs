// Follows the recipes of CONTRIBUTING.md in a copy of this directory: adds an optional profile field, and an operation. Fails if
// the result does not compile or a test fails, or if a recipe changes more handwritten files than it should.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { field } from './recipes/field.mjs'
import { operation } from './recipes/operation.mjs'

/** What a contributor does not write */
const GENERATED = /^(generated|sdk\/src\/generated|dist)\/|^(docs\/|\.env\.example$)/
const copy = mkdtempSync(join(tmpdir(), 'tawthiq-recipes-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))

copyTree()
for (const recipe of [field, operation]) follow(recipe)
run('npm', ['run', 'types'])
run('npm', ['test', '--', ...field.tests, ...operation.tests])

/** Copies what Git tracks, and what it would. */
function copyTree() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
  for (const path of listed.split('\0').filter(Boolean)) cpSync(path, join(copy, path))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  git('init', '--quiet')
  commit()
}

function follow({ name, filesMax, edits, after }) {
  for (const [path, edit] of Object.entries(edits)) write(path, edit)
  for (const command of after) run('npm', command)
  const changed = git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)
  const files = changed.map((line) => line.slice(3)).filter((path) => !GENERATED.test(path))
  console.log(`${name}: ${files.length} handwritten files, at most ${filesMax}\n  ${files.join('\n  ')}`)
  if (files.length > filesMax) process.exit(1)
  commit()
}

/** Creates a file with a text, or inserts each text of [before, text] pairs before the first line that contains `before`. */
function write(path, edit) {
  const target = join(copy, path)
  mkdirSync(dirname(target), { recursive: true })
  if (typeof edit === 'string') return writeFileSync(target, edit)
  const text = edit.reduce(
    (current, [before, inserted]) => insert(path, current, { before, inserted }),
    readFileSync(target, 'utf8'),
  )
  writeFileSync(target, text)
}

function insert(path, text, { before, inserted }) {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes(before))
  if (at < 0) throw new Error(`${path} has no line with ${before}`)
  return lines.toSpliced(at, 0, inserted).join('\n')
}

function commit() {
  git('add', '--all')
  git('-c', 'user.name=Tawthiq', '-c', 'user.email=recipes@tawthiq.example', 'commit', '--quiet', '--message', 'recipe')
}

function git(...options) {
  return execFileSync('git', options, { cwd: copy, encoding: 'utf8' })
}

function run(command, options) {
  console.log(`> ${[command, ...options].join(' ')}`)
  execFileSync(command, options, { cwd: copy, stdio: 'inherit' })
}
