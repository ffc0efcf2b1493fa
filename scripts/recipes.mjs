// Follows the recipes of CONTRIBUTING.md in a copy of this directory: adds two optional profile fields, and two operations. Fails
// if the result does not compile or a test fails, or if a recipe changes more handwritten files than it should.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { field, lookupField } from './recipes/field.mjs'
import { adminOperation, operation } from './recipes/operation.mjs'

/** What a contributor does not write */
const GENERATED = /^(generated|sdk\/src\/generated|dist)\/|^(docs\/|\.env\.example$)/
const copy = mkdtempSync(join(tmpdir(), 'tawthiq-recipes-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))

copyTree()
const recipes = [field, lookupField, operation, adminOperation]
for (const recipe of recipes) follow(recipe)
run('npm', ['run', '-s', 'types'])
run('npm', ['-s', 'test', '--', ...recipes.flatMap(({ tests }) => tests)])

/** Copies what Git tracks, and what it would, and links the installed packages and the SDK of the copy. */
function copyTree() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
  for (const path of listed.split('\0').filter(Boolean)) cpSync(path, join(copy, path))
  const packages = join(copy, 'node_modules')
  mkdirSync(join(packages, '@tawthiq'), { recursive: true })
  for (const name of readdirSync('node_modules').filter((each) => each !== '@tawthiq'))
    symlinkSync(resolve('node_modules', name), join(packages, name))
  symlinkSync(join(copy, 'sdk'), join(packages, '@tawthiq', 'sdk'))
  git('init', '--quiet')
  commit()
}

function follow({ name, filesMax, edits, after, migration }) {
  for (const [path, edit] of Object.entries(edits)) write(path, edit)
  for (const command of after) run('npm', command)
  const changed = git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)
  const files = changed.map((line) => line.slice(3)).filter((path) => !GENERATED.test(path))
  console.log(`${name}: ${files.length} handwritten files, at most ${filesMax}\n  ${files.join('\n  ')}`)
  if (files.length > filesMax) process.exit(1)
  for (const path of files.filter((each) => each.endsWith('migration.sql'))) requireStatement(path, migration)
  commit()
}

/** Requires that a migration has the statement for the change of the schema only. */
function requireStatement(path, statement) {
  const lines = readFileSync(join(copy, path), 'utf8').split('\n')
  const sql = lines.filter((line) => !line.startsWith('--') && line !== '').join('\n')
  if (sql === statement) return
  console.error(`${path} has other statements than the recipe needs:\n${sql}`)
  process.exit(1)
}

/** Creates a file with a text, or replaces texts of a file. */
function write(path, edit) {
  const target = join(copy, path)
  mkdirSync(dirname(target), { recursive: true })
  const replaceIn = (text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`${path} lacks ${before}`)
    return text.replace(before, after)
  }
  writeFileSync(target, typeof edit === 'string' ? edit : edit.reduce(replaceIn, readFileSync(target, 'utf8')))
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
  const { status } = spawnSync(command, options, { cwd: copy, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
