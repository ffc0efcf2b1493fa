import { LIMITS } from '../../../generated/limits.ts'
import { bodyContent, listFields, isFile, listTypes, type FormSchema } from './form-schema.ts'
import { PROFILE_FORMS } from '../../../generated/forms.ts'
import type { Language } from '../../messages/index.ts'
import type { Data, Query } from '../operation.ts'

export const FORM = 'multipart/form-data'

/** The limits and field types of an operation's form */
export type FormRules = {
  schema: FormSchema
  /** Of the whole form */
  bytesMax: number
  partsMax: number
  filesMax: number
  /** The maximum size of each file, by field name */
  fileBytesMax: ReadonlyMap<string, number>
  /** The fields that may be sent as JSON */
  jsonNames: ReadonlySet<string>
}

const PARTS_MAX = 100
/** Forms with files have more fields, and a list may be sent as one part for each item. */
const FILE_FORM_PARTS_MAX = 300
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** Returns the rules of a route's form from its schema; undefined if it accepts no form. */
export function readFormRules(route: unknown): FormRules | undefined {
  const schema = bodyContent(route)[FORM]?.schema
  if (!schema) return undefined
  const fields = [...listFields(schema)]
  const files = fields.filter(([, field]) => isFile(field))
  const isStructured = (field: FormSchema): boolean => ['array', 'object'].some((type) => listTypes(field).has(type))
  const hasFiles = files.length > 0
  const { form_kilobytes, file_form_megabytes, files: filesMax } = LIMITS.body
  const defaultMegabytes = LIMITS.files.image_megabytes
  return {
    schema,
    bytesMax: hasFiles ? file_form_megabytes * MEGABYTE : form_kilobytes * KILOBYTE,
    partsMax: hasFiles ? FILE_FORM_PARTS_MAX : PARTS_MAX,
    filesMax: hasFiles ? filesMax : PARTS_MAX,
    fileBytesMax: new Map(
      files.map(([name, field]) => [name, (field['x-tawthiq-megabytes-max'] ?? defaultMegabytes) * MEGABYTE]),
    ),
    jsonNames: new Set(fields.filter(([, field]) => isStructured(field)).map(([name]) => name)),
  }
}

type Form = Data<'getProfileForm'>
type AccountType = Query<'getProfileForm'>['account_type']

/** Returns a form of the document in a language, with the degrees that need a certificate. */
export function profileForm(type: AccountType, language: Language, degrees: number[]): Form {
  const form = PROFILE_FORMS[type][language]
  const fields = Object.entries(form.properties).map(([name, field]) => {
    const rule = field['x-file']
    if (rule?.if?.field !== 'degree') return [name, field] as const
    return [name, { ...field, 'x-file': { ...rule, if: { field: 'degree', values: degrees } } }] as const
  })
  return { ...form, properties: Object.fromEntries(fields) }
}
