import addFormats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import { _, Ajv2020, type CodeKeywordDefinition, type Options } from 'ajv/dist/2020.js'
import { isCleanText, isVisibleText } from '../../domain/text.ts'
import { isUpload } from '../forms/form-values.ts'

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
  'x-tawthiq-field-code',
]

const EMAIL = addFormats.default.get('email') as RegExp

/** The functions that compiled validators call. Code that the build has written receives them as `checks`. */
export const CHECKS = {
  /** By keyword */
  keywords: {
    upload: isUpload,
    cleanText: ifText(isCleanText),
    'x-tawthiq-visible': ifText(isVisibleOrEmpty),
  },
  formats: { ...fullFormats, email: isEmailInSpaces, password: true as const },
  countCharacters: ucs2length.default,
}
export type Checks = typeof CHECKS

export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options })
  addFormats.default(ajv)
  ajv.addFormat('email', CHECKS.formats.email)
  ajv.addFormat('password', CHECKS.formats.password)
  for (const [keyword, isRight] of Object.entries(CHECKS.keywords)) ajv.addKeyword(check(keyword, isRight))
  for (const keyword of WITHOUT_MEANING) ajv.addKeyword(keyword)
  return ajv
}

/** A keyword that accepts or rejects a value */
function check(keyword: string, isRight: (value: unknown) => boolean): CodeKeywordDefinition {
  return {
    keyword,
    schemaType: 'boolean',
    code(context) {
      if (context.schema !== true) return
      const call = context.gen.scopeValue('keyword', {
        ref: isRight,
        key: isRight,
        code: _`checks.keywords[${keyword}]`,
      })
      context.fail(_`!${call}(${context.data})`)
    },
  }
}

/** Accepts all values but texts. */
function ifText(isRight: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value !== 'string' || isRight(value)
}

/** Pasted addresses may have spaces around them, which operations remove. */
function isEmailInSpaces(text: string): boolean {
  return EMAIL.test(text.trim())
}

/** The rest of the schema decides whether the text may be empty. */
function isVisibleOrEmpty(text: string): boolean {
  return text === '' || isVisibleText(text)
}
