import addFormats from 'ajv-formats'
import { Ajv2020, type FuncKeywordDefinition, type Options } from 'ajv/dist/2020.js'
import { isCleanText, isVisibleText } from '../../domain/text.ts'
import { isUpload } from '../upload-values.ts'

const OPTIONS: Options = {
  allErrors: true,
  discriminator: true,
  verbose: true, // toFieldFailures reads the value
  addUsedSchema: false,
  strictTypes: false,
  strictRequired: false,
}

/** Keywords that do not affect validity */
const WITHOUT_MEANING = [
  'externalDocs',
  'xml',
  'x-enumDescriptions',
  'x-tawthiq-statuses',
  'x-tawthiq-clearable',
  'x-tawthiq-ignored-fields',
]

export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options })
  addFormats.default(ajv)
  ajv.addFormat('email', isEmailInSpaces)
  ajv.addFormat('password', true)
  ajv.addKeyword(check('upload', isUpload))
  ajv.addKeyword(checkText('cleanText', isCleanText))
  ajv.addKeyword(checkText('x-tawthiq-visible', isVisibleOrEmpty))
  for (const keyword of WITHOUT_MEANING) ajv.addKeyword(keyword)
  return ajv
}

/** A keyword that accepts or rejects a value */
function check(keyword: string, isRight: (value: unknown) => boolean): FuncKeywordDefinition {
  return { keyword, schemaType: 'boolean', validate: (isOn: boolean, value: unknown) => !isOn || isRight(value) }
}

/** A keyword that accepts or rejects a text, and accepts all other values */
function checkText(keyword: string, isRight: (text: string) => boolean): FuncKeywordDefinition {
  return check(keyword, (value) => typeof value !== 'string' || isRight(value))
}

const EMAIL = addFormats.default.get('email') as RegExp

/** Pasted addresses may have spaces around them, which operations remove. */
function isEmailInSpaces(text: string): boolean {
  return EMAIL.test(text.trim())
}

/** The rest of the schema decides whether the text may be empty. */
function isVisibleOrEmpty(text: string): boolean {
  return text === '' || isVisibleText(text)
}
