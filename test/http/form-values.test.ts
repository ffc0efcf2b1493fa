// Parsing forms by the schema of their operation.
import fc from 'fast-check'
import t from 'tap'
import type { FormSchema } from '../../src/contract/forms/form-schema.ts'
import { parseForm } from '../../src/contract/forms/form-values.ts'

const id = { type: 'integer' }
const schema: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    nickname: { type: 'string', 'x-tawthiq-clearable': true },
    day: { type: 'integer' },
    floor: { type: ['integer', 'null'], 'x-tawthiq-clearable': true },
    latitude: { type: 'number' },
    agrees: { type: 'boolean' },
    languages: { type: 'array', items: id },
    tags: { type: 'array', items: { type: 'string' } },
    sections: { type: 'array', items: id, 'x-tawthiq-clearable': true },
    licenses: { type: 'object', additionalProperties: { type: 'string' } },
    scores: { type: 'object', additionalProperties: id, 'x-tawthiq-clearable': true },
    photo: { type: 'string', format: 'binary' },
  },
}

/** Fields in order, such as `['day', '5']`. */
function read(...fields: [name: string, value: unknown][]): object {
  return {
    ...parseForm(
      schema,
      fields.map(([name, value]) => ({ name, value })),
    ),
  }
}

const cases: Record<string, [given: [string, unknown][], meant: object]> = {
  'preserves a text': [[['name', ' 12 ']], { name: ' 12 ' }],
  'parses a number in any digits': [
    [
      ['day', '05'],
      ['latitude', '٢٤٫٧١٣٦'],
      ['floor', ' -۲ '],
    ],
    { day: 5, latitude: 24.7136, floor: -2 },
  ],
  'parses a boolean from known words': [[['agrees', 'true']], { agrees: true }],
  'does not parse other words as a boolean': [[['agrees', 'yes']], { agrees: 'yes' }],
  'preserves an empty text where it clears the field': [[['nickname', '']], { nickname: '' }],
  'parses an empty text as null where it clears a number': [[['floor', '']], { floor: null }],
  'treats an empty text as absent elsewhere': [
    [
      ['name', ''],
      ['day', ''],
      ['photo', ''],
      ['unknown', ''],
    ],
    {},
  ],
  'parses a repeated value as a list': [
    [
      ['day', '1'],
      ['day', '2'],
    ],
    { day: ['1', '2'] },
  ],
  'ignores an empty value beside another one': [
    [
      ['day', ''],
      ['day', '2'],
    ],
    { day: 2 },
  ],
  'parses a list from a repeated name': [
    [
      ['languages', '1'],
      ['languages', '٢'],
    ],
    { languages: [1, 2] },
  ],
  'parses a list of one item': [[['languages', '1']], { languages: [1] }],
  'parses a list from names with brackets': [
    [
      ['languages[]', '1'],
      ['languages[]', '2'],
    ],
    { languages: [1, 2] },
  ],
  'parses a list from names with indexes': [
    [
      ['languages[0]', '1'],
      ['languages[1]', '2'],
    ],
    { languages: [1, 2] },
  ],
  'parses a list from JSON': [[['languages', ' [1, "2"]']], { languages: [1, 2] }],
  'parses an empty list from JSON': [[['languages', '[]']], { languages: [] }],
  'parses a list from a JSON part': [[['languages', [1, 2]]], { languages: [1, 2] }],
  'treats a list without values as absent': [[['languages[]', '']], {}],
  'parses a list without values as empty where it clears the field': [[['sections', '']], { sections: [] }],
  'preserves list items that are not numbers': [
    [
      ['languages', '1'],
      ['languages', 'x'],
    ],
    { languages: [1, 'x'] },
  ],
  'preserves list items that look like JSON': [
    [
      ['tags', '[broken'],
      ['tags', '{}'],
    ],
    { tags: ['[broken', '{}'] },
  ],
  'parses a map from names with brackets': [
    [
      ['licenses[12]', 'A'],
      ['licenses[13]', 'B'],
    ],
    { licenses: { 12: 'A', 13: 'B' } },
  ],
  'omits empty values from a map in brackets': [
    [
      ['licenses[12]', ''],
      ['licenses[13]', 'B'],
    ],
    { licenses: { 13: 'B' } },
  ],
  'parses a map from JSON': [[['licenses', '{"12":"A"}']], { licenses: { 12: 'A' } }],
  'parses a map from a JSON part': [[['licenses', { 12: 'A' }]], { licenses: { 12: 'A' } }],
  'parses a map of numbers': [[['scores[a]', '٧']], { scores: { a: 7 } }],
  'parses a map without values as empty where it clears the field': [[['scores', '']], { scores: {} }],
  'parses a repeated key of a map as a list': [
    [
      ['licenses[1]', 'A'],
      ['licenses[1]', 'B'],
    ],
    { licenses: { 1: ['A', 'B'] } },
  ],
  'does not merge a map in two formats': [
    [
      ['licenses', '{}'],
      ['licenses[1]', 'B'],
    ],
    { licenses: ['{}', 'B'] },
  ],
  'preserves JSON with a repeated name as a text': [
    [['licenses', '{"1":"A","1":"B"}']],
    { licenses: '{"1":"A","1":"B"}' },
  ],
  'preserves brackets in the name of a field that is not a list': [
    [
      ['name[]', 'x'],
      ['name[a]', 'y'],
    ],
    { 'name[]': 'x', 'name[a]': 'y' },
  ],
  'preserves nested brackets in a name': [[['licenses[a][b]', 'x']], { 'licenses[a][b]': 'x' }],
}

for (const [title, [given, meant]] of Object.entries(cases)) {
  void t.test(title, (t) => {
    t.same(JSON.parse(JSON.stringify(read(...given))), meant)
    t.end()
  })
}

void t.test('parses every number as programs print it', (t) => {
  for (const [text, number] of Object.entries({
    '5.0E-4': 0.0005,
    '2.47136e+1': 24.7136,
    [`24.${'7'.repeat(30)}`]: 24.7777777777777777,
  }))
    t.same(read(['latitude', text]), { latitude: number }, text)
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (number) => {
      t.same(read(['latitude', String(number)]), { latitude: Number(String(number)) })
    }),
  )
  t.end()
})

void t.test('does not parse integers with exponents, and hexadecimal numbers', (t) => {
  for (const text of ['0x10', '1e3', '+5', '1.0', '5.', '.5', '1,5', '١_٠', 'Infinity', 'NaN', '--1', '9'.repeat(16)])
    t.same(read(['day', text]), { day: text }, text)
  for (const text of ['0x10', '1e', 'e3', '1e999', '+5', '5.', '.5', '1,5', 'Infinity', 'NaN', '9'.repeat(16)])
    t.same(read(['latitude', text]), { latitude: text }, text)
  t.end()
})

void t.test('uses the fields of the variant that the tag selects', (t) => {
  const variant = (tag: string, properties: Record<string, FormSchema>): FormSchema => ({
    properties: { kind: { type: 'string', enum: [tag] }, ...properties },
  })
  const union: FormSchema = {
    oneOf: [
      variant('a', { size: { type: 'string', 'x-tawthiq-clearable': true } }),
      variant('b', { size: { type: 'integer' } }),
    ],
    discriminator: { propertyName: 'kind' },
  }
  const meant = (kind: string, size: string): object => ({
    ...parseForm(union, [
      { name: 'size', value: size },
      { name: 'kind', value: kind },
    ]),
  })
  t.same(meant('a', '5'), { kind: 'a', size: '5' })
  t.same(meant('a', ''), { kind: 'a', size: '' })
  t.same(meant('b', '5'), { kind: 'b', size: 5 })
  t.same(meant('b', ''), { kind: 'b' })
  t.end()
})

void t.test('treats names such as __proto__ as fields', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.constantFrom('__proto__', 'licenses[__proto__]', 'licenses', 'constructor', 'name'), fc.string()),
      ),
      (given) => {
        const form = parseForm(
          schema,
          given.map(([name, value]) => ({ name, value })),
        )
        return Object.getPrototypeOf(form) === null && Object.keys(Object.prototype).length === 0
      },
    ),
  )
  t.same(Object.keys(read(['__proto__', 'x'], ['licenses[__proto__]', 'y'])), ['__proto__', 'licenses'])
  t.end()
})

void t.test('parses every integer, in all digits', (t) => {
  const inDigits = (text: string, zero: number): string =>
    text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0x30, 0x660, 0x6f0), (number, zero) => {
      t.same(read(['day', inDigits(String(number), zero)]), { day: number })
    }),
    { numRuns: 50 },
  )
  t.end()
})
