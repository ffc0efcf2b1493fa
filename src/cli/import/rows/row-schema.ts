import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FormSchema } from '../../../contract/forms/form-schema.ts'
import { readDocument } from '../../../contract/document.ts'
import { commonSchema } from '../../../contract/unions/union.ts'
import { newAjv } from '../../../contract/validation/ajv.ts'
import { forRequests } from '../../../contract/validation/schemas.ts'
import type { AccountType } from '../../../domain/accounts/account.ts'
import type { Columns } from '../readers/columns.ts'
import { importColumns, JSON_COLUMNS, type Schema } from './import-columns.ts'

/** Rows have a password hash instead of a password, and neither a code nor the solution of a challenge. */
const NOT_IN_ROWS = new Set(['password', 'otp', 'challenge_response'])

export type RowSchema = {
  columns: Columns
  /** The schema that converts texts to other types */
  form: FormSchema
  /** By account type; `other` for rows without one */
  validate: Readonly<Record<AccountType | 'other', ValidateFunction>>
}

/** Builds the schema of rows from the registration schemas of the document and the columns of imports. */
export function rowSchema(): RowSchema {
  const schemas = readDocument().components.schemas as Record<string, Schema> // both registrations are objects
  const own = importColumns(schemas)
  const client = toRowSchema(schemas['ClientRegistration'], own)
  const lawyer = toRowSchema(schemas['LawyerRegistration'], own)
  const other = mergeSchemas(client, lawyer)
  const compiled = createCompiler(schemas)
  return {
    columns: {
      all: [...new Set([client, lawyer].flatMap(({ properties }) => Object.keys(properties)))],
      jsonOnly: JSON_COLUMNS,
      required: other.required,
      alternatives: [client, lawyer].map(({ required }) => required.filter((name) => !other.required.includes(name))),
    },
    form: { properties: own },
    validate: { client: compiled(client), lawyer: compiled(lawyer), other: compiled(other) },
  }
}

function toRowSchema(registration: Schema | undefined, own: Schema['properties']): Schema {
  if (!registration) throw new Error('the document has no such registration')
  const isColumn = (name: string): boolean => !NOT_IN_ROWS.has(name)
  const properties = Object.entries(registration.properties).filter(([name]) => isColumn(name))
  return {
    ...registration,
    required: [...registration.required.filter(isColumn), 'password_hash'],
    properties: { ...Object.fromEntries(properties), ...own },
  }
}

/** Returns what both schemas share, for rows without an account type. */
function mergeSchemas(client: Schema, lawyer: Schema): Schema {
  const tag = 'account_type'
  const kinds = [client, lawyer].flatMap(({ properties }) => properties[tag]?.enum ?? [])
  const shared = commonSchema({ discriminator: { propertyName: tag }, oneOf: [client, lawyer] })
  return { ...shared, properties: { ...shared.properties, [tag]: { enum: kinds } } }
}

/** Compiles schemas that refer to each other by name. */
function createCompiler(schemas: Readonly<Record<string, Schema>>): (schema: Schema) => ValidateFunction {
  const ajv = newAjv()
  const prepared = (schema: Schema): object =>
    JSON.parse(JSON.stringify(forRequests(schema)).replaceAll('"#/components/schemas/', '"schemas:')) as object
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(prepared(schema), `schemas:${name}`)
  return (schema) => ajv.compile(prepared(schema))
}
