import addFormats from 'ajv-formats'
import { Ajv2020, type FuncKeywordDefinition, type Options } from 'ajv/dist/2020.js'
import { isCleanText, isVisibleText } from '../../domain/text.ts'
import { isUpload } from '../uploads.ts'

const OPTIONS: Options = {
  allErrors: true,
  discriminator: true,
  verbose: true, // fieldFailures looks at the value
  addUsedSchema: false,
  strictTypes: false,
  strictRequired: false,
}

/** Keywords that say nothing of what is valid */
const WITHOUT_MEANING = [
  'externalDocs',
  'xml',
  'x-enum-descriptions',
  'x-statuses',
  'x-clearable',
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

/** A keyword that says yes or no of a value. */
function check(keyword: string, isRight: (value: unknown) => boolean): FuncKeywordDefinition {
  return { keyword, schemaType: 'boolean', validate: (isOn: boolean, value: unknown) => !isOn || isRight(value) }
}

/** The same of a text; other values have no such fault. */
function checkText(keyword: string, isRight: (text: string) => boolean): FuncKeywordDefinition {
  return check(keyword, (value) => typeof value !== 'string' || isRight(value))
}

const EMAIL = addFormats.default.get('email') as RegExp

/** People paste addresses with spaces around them, which operations remove. */
function isEmailInSpaces(text: string): boolean {
  return EMAIL.test(text.trim())
}

/** Whether an empty text may stand there is for the rest of its schema to say. */
function isVisibleOrEmpty(text: string): boolean {
  return text === '' || isVisibleText(text)
}
