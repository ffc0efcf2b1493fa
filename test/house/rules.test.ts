// Checks of the rules for the source code.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'

/** Of 95 % of the files, and of all */
const LINES_USUALLY_MAX = 200
const LINES_MAX = 300
/** Files in one folder; the top of src holds the entry, the composition root and what operations can reach. */
const FILES_MAX = 15
const TOP_FILES_MAX = 5

/** The rooms, files and packages that each room may import. Everything else is rejected. */
const MAY_IMPORT: Record<string, RegExp> = {
  domain: /^(domain\/|generated\/(types|limits)\.ts$)/,
  messages: /^(messages|domain)\/|^generated\/(messages|types)\.ts$/,
  lib: /^lib\/|^node:|^(pino(-pretty)?|ipaddr\.js)$/,
  config:
    /^(config|lib|messages)\/|^domain\/phones\/sms\.ts$|^generated\/limits\.ts$|^node:|^(@sinclair\/typebox|fastest-levenshtein)(\/|$)/,
  management: /^(management|lib)\/|^node:/,
  telemetry:
    /^(telemetry|lib)\/|^config\/(index|telemetry\/tracing)\.ts$|^management\/server\.ts$|^node:|^prom-client$|^@opentelemetry\//,
  database:
    /^(database|lib)\/|^domain\/(clock|failure)\.ts$|^generated\/(prisma\/|columns\.ts$)|^node:|^pg$|^@prisma\/|^@electric-sql\//,
  store: /^(store|database|domain|lib)\/|^generated\/(limits\.ts$|prisma\/)|^node:|^pg$/,
  adapters:
    /^(adapters|domain|lib)\/|^generated\/(types|limits|rate-limits|operations)\.ts$|^node:|^(undici|cockatiel|sharp|file-type|bcryptjs|piscina|ioredis|fastify|lru-cache|bowser|nodemailer(\/lib\/shared)?|standardwebhooks|yazl|otpauth|@cantoo\/pdf-lib|@simplewebauthn\/server(\/helpers)?)$|^@zxcvbn-ts\/|^(@aws-sdk\/client-s3|@smithy\/node-http-handler|@fastify\/jwt|@sinclair\/typebox|libphonenumber-js)(\/|$)/,
  contract:
    /^(contract|domain)\/|^context\.ts$|^messages\/index\.ts$|^generated\/|^node:|^(fastify|ajv|ajv-formats|jsonc-parser)(\/|$)/,
  serializers: /^(serializers|contract|domain)\/|^context\.ts$|^generated\/limits\.ts$/,
  services: /^(services|contract|domain|messages)\/|^context\.ts$|^generated\/(rate-)?limits\.ts$/,
  operations:
    /^(operations|services|serializers|contract|domain|messages)\/|^context\.ts$|^generated\/(rate-)?limits\.ts$/,
  http: /^(http|contract|domain|messages|lib)\/|^context\.ts$|^adapters\/outbox\.ts$|^generated\/(operations|errors|limits|rate-limits)\.ts$|^node:|fastify|^(ajv|content-type|find-my-way|lru-cache|negotiator|fresh|ipaddr\.js|pino)(\/|$)/,
  runtime:
    /^(runtime|adapters|store|database|domain|config|lib)\/|^context\.ts$|^http\/request\/uploads\.ts$|^node:|^@sinclair\/typebox/,
  composition: /^(composition|runtime|adapters|store|database|domain|config|lib)\/|^context\.ts$|^fastify$/,
  cli: /^(cli|composition|runtime|adapters|store|database|domain|contract|config|messages|lib)\/|^services\/(profile\/names|phone\/read-phone|factors\/reset-notices|notifications\/mail)\.ts$|^generated\/limits\.ts$|^node:|^(csv-parse|cli-progress|fastest-levenshtein|ajv)(\/|$)/,
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const textOf = (path: string): string => readFileSync(join('src', path), 'utf8')

/** `import … from '…'`, `import '…'` and `import('…')` */
const IMPORT = /^(?:import|export)[^'"]*? from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms

/** Returns the imports of a file, as paths from the root of the project or as packages. */
function importsOf(path: string): string[] {
  return [...textOf(path).matchAll(IMPORT)].map(([, from, bare, dynamic]) => {
    const target = from ?? bare ?? dynamic ?? ''
    return target.startsWith('.') ? join('src', dirname(path), target).replace(/^src\//, '') : target
  })
}

void t.test('rooms import only allowed rooms', (t) => {
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    for (const path of sources.filter((each) => each.startsWith(`${room}/`))) {
      for (const target of importsOf(path)) t.match(target, allowed, `${path} imports ${target}`)
    }
  }
  t.end()
})

void t.test('every room has an import rule', (t) => {
  const rooms = new Set(sources.filter((path) => path.includes('/')).map((path) => path.split('/')[0]))
  t.same([...rooms].sort(), Object.keys(MAY_IMPORT).sort())
  t.end()
})

void t.test('imports have no cycles', (t) => {
  const isDone = new Set<string>()
  const follow = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) t.fail([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    else if (!isDone.has(path)) {
      for (const target of importsOf(path).filter((each) => sources.includes(each))) follow(target, [...trail, path])
      isDone.add(path)
    }
  }
  for (const path of sources) follow(path, [])
  t.equal(isDone.size, sources.length)
  t.end()
})

void t.test('directories have few files', (t) => {
  const counts = new Map<string, number>()
  for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  for (const [folder, count] of counts) t.ok(count <= (folder === '.' ? TOP_FILES_MAX : FILES_MAX), folder)
  t.end()
})

void t.test('only lib/env.ts reads the environment, and only main.ts ends the process', (t) => {
  for (const path of sources) {
    if (path !== 'lib/env.ts') t.notMatch(textOf(path), /process\.env\b/, path)
    if (path !== 'main.ts') t.notMatch(textOf(path), /process\.exit\b/, path)
  }
  t.end()
})

void t.test('only database and store import Prisma', (t) => {
  for (const path of sources.filter((each) => !/^(database|store)\//.test(each)))
    t.notMatch(importsOf(path).join('\n'), /prisma|^pg$/m, path)
  t.end()
})

void t.test('source files are short, and not empty', (t) => {
  const lines = sources.map((path) => ({ path, count: textOf(path).split('\n').length }))
  for (const { path, count } of lines) t.ok(count > 1 && count <= LINES_MAX, path)
  const longer = lines.filter(({ count }) => count > LINES_USUALLY_MAX)
  t.ok(longer.length <= lines.length * 0.05, longer.map(({ path }) => path).join(', '))
  t.end()
})

/** Returns the operations of the document as `<folder>/<operationId>`, by the folder of their path in openapi/paths. */
function operationFiles(): string[] {
  const folders = readdirSync('openapi/paths', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.yaml'),
  )
  return folders.flatMap((path) => {
    const ids = readFileSync(join('openapi/paths', path), 'utf8').matchAll(/^ +operationId: (\w+)$/gm)
    return [...ids].map(([, id = '']) => join(dirname(path), id))
  })
}

/** Returns all files below a folder, without their endings. */
function filesIn(folder: string, ending: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => path.endsWith(ending)).map((path) => path.slice(0, -ending.length))
}

void t.test('every operation has a file and a contract test of its name, in the folder of its path', (t) => {
  const expected = operationFiles().sort()
  t.same(expected.map((path) => basename(path)).sort(), Object.keys(bindings).sort())
  t.same(
    filesIn('src/operations', '.ts')
      .filter((path) => path !== 'index')
      .sort(),
    expected,
  )
  t.same(filesIn('test/contract', '.test.ts').sort(), expected)
  t.end()
})

void t.test(
  'modules that test files share open nothing themselves, as the first file in a process would close it',
  (t) => {
    for (const path of filesIn('test/support', '.ts')) {
      t.notMatch(
        readFileSync(`test/support/${path}.ts`, 'utf8'),
        /^((export )?(const|let) .*)?\bawait |^t\.teardown/m,
        path,
      )
    }
    t.end()
  },
)

void t.test('every authenticated operation is tested with revoked tokens', (t) => {
  for (const path of operationFiles()) {
    const isTried = /(token|admin)Cases\(/.test(readFileSync(`test/contract/${path}.test.ts`, 'utf8'))
    t.equal(isTried, bindings[basename(path) as keyof typeof bindings].secured, path)
  }
  t.end()
})

/** Parts of statements whose first parameter is not that of NOW: they would read another value as the shift of the clock. */
const WITHOUT_NOW = ['profiles/write-profile', 'files/index', 'mails/rows', 'events/outbox', 'audit/index']

void t.test('parts of statements without the shift of the clock do not use it', (t) => {
  for (const path of WITHOUT_NOW) t.notMatch(textOf(`store/${path}.ts`), /\bNOW\}/, path)
  t.end()
})

void t.test('comments have no TODO without an issue', (t) => {
  for (const path of sources) t.notMatch(textOf(path), /\b(TODO|FIXME|XXX)\b/, path)
  t.end()
})
