// The names and codes of invalid fields.
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { toFieldFailures } from '../../src/contract/field-errors.ts'
import type { FieldFailures } from '../../src/domain/failure.ts'

const validate = new Ajv2020({ allErrors: true, formats: fullFormats }).compile({
  type: 'object',
  properties: {
    id: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647 },
    otp: { type: 'string', minLength: 6, pattern: '^[0-9]+$' },
  },
  additionalProperties: false,
})

function failuresOf(value: object): FieldFailures {
  return validate(value) ? {} : toFieldFailures(validate.errors ?? [])
}

void t.test('cuts long names between characters', (t) => {
  for (const length of [97, 98, 99, 100]) {
    const [name = ''] = Object.keys(failuresOf({ [`${'k'.repeat(length)}😀😀`]: 1 }))
    t.ok(name.isWellFormed(), `${length} letters before an emoji`)
    t.ok(name.length >= 99 && name.length <= 100)
    t.notMatch(name, /\uFFFD/)
  }
  t.end()
})

void t.test('reports a number out of range once', (t) => {
  t.same(failuresOf({ id: 2_147_483_648 }), { id: [{ code: 'too_large', values: { limit: 2_147_483_647 } }] })
  t.same(failuresOf({ id: -2_147_483_649 }), { id: [{ code: 'too_small', values: { limit: 1 } }] })
  t.end()
})

void t.test('reports the length and the format of a text', (t) => {
  t.same(failuresOf({ otp: 'abc' }), { otp: [{ code: 'too_short', values: { limit: 6 } }, 'wrong_format'] })
  t.end()
})
