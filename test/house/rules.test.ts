// The rules of the house, checked rather than remembered.
import { readdirSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'

const LINES_MAX = 150

/** Which room may import from which, and which packages it may touch. What is not listed here is not allowed. */
const MAY_IMPORT: Record<string, RegExp> = {
  domain: /^(domain\/|generated\/(types|limits)\.ts$)/,
  messages: /^(messages|domain)\/|^generated\/(operations|types)\.ts$/,
  store:
    /^(store|domain)\/|^(folder|log|start-failure)\.ts$|^generated\/limits\.ts$|^generated\/prisma\/|^prisma\/|^node:|^pg$|^@prisma\/|^@electric-sql\//,
  adapters:
    /^(adapters|domain)\/|^(folder|log|start-failure)\.ts$|^generated\/(types|limits|operations)\.ts$|^node:|^(undici|cockatiel|sharp|file-type|bcryptjs|piscina|ioredis|rate-limiter-flexible|fastify|lru-cache|bowser|nodemailer|standardwebhooks|yazl)$|^@zxcvbn-ts\/|^(@aws-sdk\/client-s3|@smithy\/node-http-handler|@fastify\/jwt|@sinclair\/typebox|libphonenumber-js)(\/|$)/,
  'file-store':
    /^(file-store|domain)\/|^adapters\/files\/storage\.ts$|^store\/index\.ts$|^(log|start-failure)\.ts$|^node:crypto$|^@sinclair\/typebox/,
  'audit-trail': /^(audit-trail|domain)\/|^adapters\/seals\.ts$|^store\/index\.ts$|^log\.ts$/,
  operations: /^(operations|domain|messages)\/|^(contract|context)\.ts$|^generated\/limits\.ts$/,
  http: /^(http|domain|messages)\/|^(contract|context|folder|log)\.ts$|^adapters\/outbox\.ts$|^generated\/(operations|errors|limits)\.ts$|^node:|fastify|^(ajv|ajv-formats|negotiator|fresh|ipaddr\.js|jsonc-parser|pino)(\/|$)/,
  import:
    /^(import|domain|messages)\/|^command-line\/errors\.ts$|^http\/(document|fields|form-schema|form-values|json|unions\/\w+(-\w+)*|validation\/\w+)\.ts$|^operations\/shared\/(names|read-phone)\.ts$|^adapters\/phone-numbers\.ts$|^store\/imports\.ts$|^node:|^(csv-parse|cli-progress|fastest-levenshtein|ajv)(\/|$)/,
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const textOf = (path: string): string => readFileSync(join('src', path), 'utf8')

/** What a file imports, by path from the root of the project or by package. */
function importsOf(path: string): string[] {
  return [...textOf(path).matchAll(/^(?:import|export)[^'"]*? from '([^']+)'|^import '([^']+)'/gms)].map(
    ([, from, bare]) => {
      const target = from ?? bare ?? ''
      return target.startsWith('.') ? join('src', dirname(path), target).replace(/^src\//, '') : target
    },
  )
}

void t.test('rooms import only what they may', (t) => {
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    for (const path of sources.filter((each) => each.startsWith(`${room}/`))) {
      for (const target of importsOf(path)) t.match(target, allowed, `${path} imports ${target}`)
    }
  }
  t.end()
})

void t.test('only variables.ts reads the environment, and only main.ts ends the process', (t) => {
  for (const path of sources) {
    if (path !== 'variables.ts') t.notMatch(textOf(path), /process\.env\b/, path)
    if (path !== 'main.ts') t.notMatch(textOf(path), /process\.exit\b/, path)
  }
  t.end()
})

void t.test('only the room store knows Prisma', (t) => {
  for (const path of sources.filter((each) => !each.startsWith('store/')))
    t.notMatch(importsOf(path).join('\n'), /prisma|^pg$/m, path)
  t.end()
})

void t.test('rooms are small', (t) => {
  for (const path of sources) t.ok(textOf(path).split('\n').length <= LINES_MAX, path)
  t.end()
})

void t.test('every operation has a file and a contract test of its name', (t) => {
  const ids = Object.keys(bindings).sort()
  t.same(
    readdirSync('src/operations')
      .filter((name) => name !== 'index.ts' && name !== 'shared')
      .sort(),
    ids.map((id) => `${id}.ts`),
  )
  t.same(
    readdirSync('test/contract').sort(),
    ids.map((id) => `${id}.test.ts`),
  )
  t.end()
})

void t.test('every operation that wants a token is tried with tokens that have ended', (t) => {
  for (const [id, { secured }] of Object.entries(bindings)) {
    const told = /(token|admin)Stories\(/.test(readFileSync(`test/contract/${id}.test.ts`, 'utf8'))
    t.equal(told, secured, id)
  }
  t.end()
})

void t.test('what is generated is current, and the document lints', { timeout: 60_000 }, (t) => {
  t.doesNotThrow(() => execFileSync(process.execPath, ['dist/scripts/generate.js', '--check'], { stdio: 'pipe' }))
  t.end()
})

void t.test('nothing is left to do without an issue', (t) => {
  for (const path of sources) t.notMatch(textOf(path), /\b(TODO|FIXME|XXX)\b/, path)
  t.end()
})
