// Validators that the build has compiled, each in a file that is named after its kind and its schema.
import type { AnySchema, ValidateFunction } from 'ajv/dist/2020.js'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { CHECKS, type Checks } from './ajv.ts'

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
