// Validators that the build has compiled, each in a file that is named after its kind and its schema.
import type { Ajv2020, AnySchema, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { newAjv, CHECKS, type Checks } from './ajv.ts'

/** The part of a compiled validator that Fastify and the error handler use */
export type Validator = {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
  /** The prepared schema */
  readonly schema: AnySchema
}

export const OPTIONS: Readonly<Record<ValidatorKind, Options>> = {
  request: {},
  headers: { coerceTypes: 'array', useDefaults: true, discriminator: false },
  response: { verbose: false },
}

const compilers = new Map<ValidatorKind, Ajv2020>()

/** Returns the compiler of a kind, which validators of the build do not need. */
export function compiler(kind: ValidatorKind): Ajv2020 {
  const ajv = compilers.get(kind) ?? newAjv(OPTIONS[kind])
  compilers.set(kind, ajv)
  return ajv
}

/** The validators that this process has created, for the build */
export const declared: Readonly<{ kind: ValidatorKind; prepare: () => AnySchema }>[] = []

/**
 * Returns a validator whose schema is prepared when it is first used. Then the build's validator is loaded, or the schema is
 * compiled if the build has none. Compiling all schemas of the document takes a second.
 */
export function lazyValidator(kind: ValidatorKind, prepare: () => AnySchema): Validator {
  declared.push({ kind, prepare })
  let validate: ValidateFunction | undefined
  const load = (): ValidateFunction => {
    const schema = prepare()
    return Object.assign(loadBuilt(kind, schema) ?? compiler(kind).compile(schema), { schema })
  }
  const run = (value: unknown): boolean => {
    validate ??= load()
    const isValid = validate(value)
    lazy.errors = validate.errors ?? null
    return isValid
  }
  const lazy = Object.defineProperty(run as Validator, 'schema', { get: () => (validate ??= load()).schema })
  return lazy
}

/** What a validator is for. Headers are texts, which are coerced; all other parts of a request are parsed by then. */
export type ValidatorKind = 'request' | 'headers' | 'response'

/** Written by the build */
export const BUILT = new URL('../../../validators/', import.meta.url)

const load = createRequire(import.meta.url)

export function builtFile(kind: ValidatorKind, schema: AnySchema): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, schema]))
    .digest('hex')
    .slice(0, 32)
  return fileURLToPath(new URL(`${hash}.cjs`, BUILT))
}

/** Returns the validator of a schema; undefined if the document does not have the schema. */
export function loadBuilt(kind: ValidatorKind, schema: AnySchema): ValidateFunction | undefined {
  const file = builtFile(kind, schema)
  if (!existsSync(file)) return undefined
  const create = load(file) as (checks: Checks) => ValidateFunction
  return create(CHECKS)
}
