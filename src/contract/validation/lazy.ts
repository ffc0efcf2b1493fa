import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

/** The part of a compiled validator that Fastify and the error handler use */
export type Validator = {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
  /** The prepared schema */
  readonly schema: AnySchema
}

const uncompiled = new Set<() => void>()

/**
 * Returns a validator whose schema is prepared and compiled when it is first used, or by `compileValidators`. Compiling all
 * schemas of the document takes most of a second, which a start should not wait for.
 */
export function lazyValidator(prepare: () => AnySchema, compile: (schema: AnySchema) => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined
  const get = (): ValidateFunction => {
    compiled ??= compile(prepare())
    uncompiled.delete(get)
    return compiled
  }
  uncompiled.add(get)
  const validate = (value: unknown): boolean => {
    const isValid = get()(value)
    lazy.errors = compiled?.errors ?? null
    return isValid
  }
  const lazy = Object.defineProperty(validate as Validator, 'schema', { get: () => get().schema })
  return lazy
}

/** Compiles all validators that have not been used yet, one at a time, so that requests are served in between. */
export async function compileValidators(): Promise<void> {
  for (const compile of uncompiled) {
    compile()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
