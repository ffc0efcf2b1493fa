import addFormats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import { _, Ajv2020, type CodeKeywordDefinition, type Options } from 'ajv/dist/2020.js'
import { cleanInput } from '../../domain/inputs.ts'
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
  'x-personal-data',
  'x-tawthiq-statuses',
  'x-tawthiq-clearable',
  'x-tawthiq-ignored-fields',
  'x-tawthiq-field-code',
  'x-tawthiq-input',
]

/** The format of an international address, too: its domain is in ASCII when it is validated. */
const EMAIL = addFormats.default.get('email') as RegExp

/** The functions that compiled validators call. Code that the build has written receives them as `checks`. */
export const CHECKS = {
  keywords: {
    upload: isUpload,
    cleanText: isCleanText,
    'x-tawthiq-visible': (text: string) => text === '' || isVisibleText(text), // the rest decides whether it may be empty
  },
  formats: { ...fullFormats, 'idn-email': EMAIL, password: true as const },
  cleanInput,
  countCharacters: ucs2length.default,
}
export type Checks = typeof CHECKS

export function newAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options })
  addFormats.default(ajv)
  ajv.addFormat('idn-email', EMAIL)
  ajv.addKeyword(INPUT)
  ajv.addFormat('password', CHECKS.formats.password)
  const { upload, ...ofTexts } = CHECKS.keywords
  ajv.addKeyword(check('upload', upload))
  for (const [keyword, isRight] of Object.entries(ofTexts))
    ajv.addKeyword({ ...check(keyword, isRight), type: 'string' })
  for (const keyword of WITHOUT_MEANING) ajv.addKeyword(keyword)
  return ajv
}

/** Replaces a text by what `cleanInput` makes of it, before the other keywords validate it. */
const INPUT: CodeKeywordDefinition = {
  keyword: 'input',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  code({ gen, data, schemaValue, it: { parentData, parentDataProperty } }) {
    const call = gen.scopeValue('keyword', { ref: cleanInput, key: cleanInput, code: _`checks.cleanInput` })
    gen.assign(data, _`${call}(${schemaValue}, ${data})`)
    gen.assign(_`${parentData}[${parentDataProperty}]`, data)
  },
}

/** A keyword that accepts or rejects a value */
function check(keyword: string, isRight: unknown): CodeKeywordDefinition {
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
