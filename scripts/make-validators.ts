// Compiles the schemas of all operations, so that the service does not do so. Run after make-routes.
import standalone from 'ajv/dist/standalone/index.js'
import { _ } from 'ajv/dist/2020.js'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Context } from '../src/context.ts'
import { newAjv } from '../src/contract/validation/ajv.ts'
import { BUILT, builtFile, declared, OPTIONS, type ValidatorKind } from '../src/contract/validation/lazy.ts'
import { createServer } from '../src/http/server.ts'
import { serveOperations } from '../src/http/routes.ts'
import type { Spool } from '../src/http/request/uploads.ts'
import { jsonLog } from '../src/lib/log.ts'
import { operations } from '../generated/handlers.ts'

/** Code that ajv imports, and the check that replaces it: the service runs without the package. */
const COUNT_CHARACTERS = ['require("ajv/dist/runtime/ucs2length").default', 'checks.countCharacters'] as const

await declareValidators()
rmSync(BUILT, { recursive: true, force: true })
mkdirSync(BUILT)
const files = new Map(declared.map(({ kind, prepare }) => [builtFile(kind, prepare()), { kind, schema: prepare() }]))
for (const [file, { kind, schema }] of files) writeFileSync(file, compile(kind, schema))

/** Registers the operations on a server that receives no requests. */
async function declareValidators(): Promise<void> {
  const server = createServer({
    log: jsonLog('silent'),
    defaultLanguage: 'en',
    isProduction: true,
    corsOrigins: [],
    allowsLocalOrigins: false,
    trustedProxies: [],
    shutdown: { isShuttingDown: false, isOver: false },
    uploadsDirectory: '',
  })
  // only requests use them
  await serveOperations(server, { operations, context: {} as Context, spool: {} as Spool })
  await server.ready()
}

/**
 * Returns a module whose function takes the checks and returns the validator.
 *
 * @throws if the code imports anything else
 */
function compile(kind: ValidatorKind, schema: Parameters<typeof builtFile>[1]): string {
  const ajv = newAjv({ ...OPTIONS[kind], code: { source: true, formats: _`checks.formats` } })
  const code = standalone.default(ajv, ajv.compile(schema)).replaceAll(...COUNT_CHARACTERS)
  const [other] = /\brequire\([^)]*\)/.exec(code) ?? []
  if (other !== undefined) throw new Error(`A validator needs ${other}: add it to CHECKS.`)
  return `module.exports = (checks) => {\nconst module = {}\n${code}\nreturn module.exports\n}\n`
}
