import type { Ajv2020, AnySchema, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import { newAjv } from './ajv.ts'
import { loadBuilt, type ValidatorKind } from './built.ts'

/** The part of a compiled validator that Fastify and the error handler use */
export type Validator = {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
  /** The prepared schema */
  readonly schema: AnySchema
}

const OPTIONS: Readonly<Record<ValidatorKind, Options>> = {
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

export function buildOptions(kind: ValidatorKind): Options {
  return OPTIONS[kind]
}

/** The validators that this process has created, for the build */
export const declared: Readonly<{ kind: ValidatorKind; prepare: () => AnySchema }>[] = []

/**
 * Returns a validator whose schema is prepared when it is first used. Then the build's validator is loaded, or the schema is
 * compiled if the build has none. Compiling all schemas of the document takes a second.
 */
export function lazyValidator(kind: ValidatorKind, prepare: () => AnySchema): Validator {
  declared.push({ kind, prepare })
  let validator: { validate: ValidateFunction; schema: AnySchema } | undefined
  const load = (): { validate: ValidateFunction; schema: AnySchema } => {
    const schema = prepare()
    return { schema, validate: loadBuilt(kind, schema) ?? compiler(kind).compile(schema) }
  }
  const run = (value: unknown): boolean => {
    validator ??= load()
    const isValid = validator.validate(value)
    lazy.errors = validator.validate.errors ?? null
    return isValid
  }
  const lazy = Object.defineProperty(run as Validator, 'schema', { get: () => (validator ??= load()).schema })
  return lazy
}
