import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { AnySchema } from 'ajv/dist/2020.js'
import { compiler, lazyValidator, type Validator } from '../../contract/validation/lazy.ts'
import { forResponses } from '../../contract/validation/schemas.ts'

const compiled = new Map<AnySchema, Validator>()

/**
 * Serializes responses, and checks each against the document first. A response that violates it is a bug: the client gets
 * 500, and the log names the operation and the place.
 */
export const serializerCompiler: FastifySerializerCompiler<AnySchema> = ({ schema, method, url, httpStatus }) => {
  const validate = compiled.get(schema) ?? lazyValidator('response', () => forResponses(schema))
  compiled.set(schema, validate)
  return (response) => {
    const text = JSON.stringify(response)
    if (validate(response)) return text
    const places = compiler('response').errorsText(validate.errors, { dataVar: 'response' })
    throw new Error(`${method} ${url} ${httpStatus ?? ''} violates the document: ${places}`)
  }
}
