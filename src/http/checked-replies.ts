import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { AnySchema } from 'ajv/dist/2020.js'
import { newAjv } from './validation/ajv.ts'
import { lazyValidator, type Validator } from './validation/lazy.ts'
import { forAjv } from './validation/schemas.ts'

const ajv = newAjv({ verbose: false })
const compiled = new Map<string, Validator>()

/**
 * Checks every answer against the document before it leaves. One that breaks it is a bug of ours: the error handler
 * answers 500, and the log names the operation and the place.
 */
export const serializerCompiler: FastifySerializerCompiler<AnySchema> = ({ schema, method, url, httpStatus }) => {
  const key = JSON.stringify(schema)
  const validate = compiled.get(key) ?? lazyValidator(schema, (one) => ajv.compile(forAjv(one)))
  compiled.set(key, validate)
  return (answer) => {
    const text = JSON.stringify(answer)
    if (validate(answer)) return text
    const places = ajv.errorsText(validate.errors, { dataVar: 'answer' })
    throw new Error(`${method} ${url} ${httpStatus ?? ''} breaks the document: ${places}`)
  }
}
