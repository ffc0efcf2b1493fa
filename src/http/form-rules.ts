import { LIMITS } from '../../generated/limits.ts'
import { fieldsOf, isFile, typesOf, type FormSchema } from './form-schema.ts'

export const FORM = 'multipart/form-data'

/** What an operation takes of a form. */
export type FormRules = {
  schema: FormSchema
  /** Of the whole form */
  bytesMax: number
  partsMax: number
  filesMax: number
  /** How large each file may be, by the name of its field */
  fileBytesMax: ReadonlyMap<string, number>
  /** The fields that may come as JSON */
  jsonNames: ReadonlySet<string>
}

const PARTS_MAX = 100
/** A form with files is a long one, and its lists may come as a part for each item. */
const FILE_FORM_PARTS_MAX = 300
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** The rules of a route's form, by its schema; undefined when it takes none. */
export function formRulesOf(route: unknown): FormRules | undefined {
  // what the glue makes of `requestBody`
  const { body } = (route ?? {}) as { body?: { content?: Record<string, { schema?: FormSchema }> } }
  const schema = body?.content?.[FORM]?.schema
  return schema && rulesOf(schema)
}

function rulesOf(schema: FormSchema): FormRules {
  const fields = [...fieldsOf(schema)]
  const files = fields.filter(([, field]) => isFile(field))
  const isStructured = (field: FormSchema): boolean => ['array', 'object'].some((type) => typesOf(field).has(type))
  const hasFiles = files.length > 0
  const { form_kilobytes, file_form_megabytes, files: filesMax } = LIMITS.body
  const defaultMegabytes = LIMITS.files.image_megabytes
  return {
    schema,
    bytesMax: hasFiles ? file_form_megabytes * MEGABYTE : form_kilobytes * KILOBYTE,
    partsMax: hasFiles ? FILE_FORM_PARTS_MAX : PARTS_MAX,
    filesMax: hasFiles ? filesMax : PARTS_MAX,
    fileBytesMax: new Map(
      files.map(([name, field]) => [name, (field['x-megabytes-max'] ?? defaultMegabytes) * MEGABYTE]),
    ),
    jsonNames: new Set(fields.filter(([, field]) => isStructured(field)).map(([name]) => name)),
  }
}
