// Each start of a service compiles the schema of OpenAPI documents. This caches it for all tests in a process.
import { Validator } from '@seriousme/openapi-schema-validator'

type GetValidator = (this: unknown, version: string) => unknown

const prototype = Validator.prototype as unknown as { getAjvValidator: GetValidator }
const compile = prototype.getAjvValidator
const compiled = new Map<string, unknown>()

prototype.getAjvValidator = function (version) {
  if (!compiled.has(version)) compiled.set(version, compile.call(this, version))
  return compiled.get(version)
}
