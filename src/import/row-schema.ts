import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FormSchema } from '../http/form-schema.ts'
import { readDocument } from '../http/document.ts'
import { commonSchema } from '../http/unions/union.ts'
import { newAjv } from '../http/validation/ajv.ts'
import { forRequests } from '../http/validation/schemas.ts'
import type { AccountType } from '../domain/account.ts'
import type { Columns } from './columns.ts'

type Schema = FormSchema & { required: readonly string[]; properties: Readonly<Record<string, FormSchema>> }

/** A row has no password but its hash, and nobody asks for a code. */
const NOT_IN_ROWS = new Set(['password', 'otp'])

const OWN: Readonly<Record<string, FormSchema & { pattern?: string }>> = {
  password_hash: { type: 'string', pattern: '^(\\$tw1\\$)?\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}$' },
  phone_verified: { type: 'boolean' },
  email_verified: { type: 'boolean' },
  created_at: { type: 'string', format: 'date-time' },
}

export type RowSchema = {
  columns: Columns
  /** By which texts are read that mean something else */
  form: FormSchema
  /** By the kind of the account; `other` for rows that name none */
  validate: Readonly<Record<AccountType | 'other', ValidateFunction>>
}

/** What a row may hold: the registration of the document, with what an account from elsewhere has besides. */
export function rowSchema(): RowSchema {
  const document = readDocument().document as unknown as { components: { schemas: Record<string, Schema> } }
  const { schemas } = document.components
  const client = rowOf(schemas['ClientRegistration'])
  const lawyer = rowOf(schemas['LawyerRegistration'])
  const other = common(client, lawyer)
  const compiled = compilerOf(schemas)
  return {
    columns: {
      all: [...new Set([client, lawyer].flatMap(({ properties }) => Object.keys(properties)))],
      required: other.required,
      either: [client, lawyer].map(({ required }) => required.filter((name) => !other.required.includes(name))),
    },
    form: { properties: OWN },
    validate: { client: compiled(client), lawyer: compiled(lawyer), other: compiled(other) },
  }
}

function rowOf(registration: Schema | undefined): Schema {
  if (!registration) throw new Error('the document has no such registration')
  const isOfRows = (name: string): boolean => !NOT_IN_ROWS.has(name)
  const properties = Object.entries(registration.properties).filter(([name]) => isOfRows(name))
  return {
    ...registration,
    required: [...registration.required.filter(isOfRows), 'password_hash'],
    properties: { ...Object.fromEntries(properties), ...OWN },
  }
}

/** Of a row that may be of both kinds only what both have is judged. */
function common(client: Schema, lawyer: Schema): Schema {
  const tag = 'account_type'
  const kinds = [client, lawyer].flatMap(({ properties }) => properties[tag]?.enum ?? [])
  const shared = commonSchema({ discriminator: { propertyName: tag }, oneOf: [client, lawyer] })
  return { ...shared, properties: { ...shared.properties, [tag]: { enum: kinds } } }
}

/** The schemas of the document refer to each other by name. */
function compilerOf(schemas: Readonly<Record<string, Schema>>): (schema: Schema) => ValidateFunction {
  const ajv = newAjv()
  const prepared = (schema: Schema): object =>
    JSON.parse(JSON.stringify(forRequests(schema)).replaceAll('"#/components/schemas/', '"schemas:')) as object
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(prepared(schema), `schemas:${name}`)
  return (schema) => ajv.compile(prepared(schema))
}
