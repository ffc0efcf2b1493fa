// What a form means, by the schema of the operation that it is sent to.
import fc from 'fast-check'
import t from 'tap'
import type { FormSchema } from '../../src/http/form-schema.ts'
import { formValues } from '../../src/http/form-values.ts'

const id = { type: 'integer' }
const schema: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    nickname: { type: 'string', 'x-clearable': true },
    day: { type: 'integer' },
    floor: { type: 'integer' },
    latitude: { type: 'number' },
    agrees: { type: 'boolean' },
    languages: { type: 'array', items: id },
    tags: { type: 'array', items: { type: 'string' } },
    sections: { type: 'array', items: id, 'x-clearable': true },
    licenses: { type: 'object', additionalProperties: { type: 'string' } },
    scores: { type: 'object', additionalProperties: id, 'x-clearable': true },
    photo: { type: 'string', format: 'binary' },
  },
}

/** Fields in order, such as `['day', '5']`. */
function read(...fields: [name: string, value: unknown][]): object {
  return {
    ...formValues(
      schema,
      fields.map(([name, value]) => ({ name, value })),
    ),
  }
}

const cases: Record<string, [given: [string, unknown][], meant: object]> = {
  'a text stays as it is': [[['name', ' 12 ']], { name: ' 12 ' }],
  'a number is read in any digits': [
    [
      ['day', '05'],
      ['latitude', '٢٤٫٧١٣٦'],
      ['floor', ' -۲ '],
    ],
    { day: 5, latitude: 24.7136, floor: -2 },
  ],
  'a boolean is a word of a list': [[['agrees', 'true']], { agrees: true }],
  'a boolean is no other word': [[['agrees', 'yes']], { agrees: 'yes' }],
  'an empty text is one where it clears the field': [[['nickname', '']], { nickname: '' }],
  'an empty text is absent elsewhere': [
    [
      ['name', ''],
      ['day', ''],
      ['photo', ''],
      ['unknown', ''],
    ],
    {},
  ],
  'a value that stands twice is a list': [
    [
      ['day', '1'],
      ['day', '2'],
    ],
    { day: ['1', '2'] },
  ],
  'a value beside an empty one stands once': [
    [
      ['day', ''],
      ['day', '2'],
    ],
    { day: 2 },
  ],
  'a list as a name that repeats': [
    [
      ['languages', '1'],
      ['languages', '٢'],
    ],
    { languages: [1, 2] },
  ],
  'a list of one': [[['languages', '1']], { languages: [1] }],
  'a list in brackets': [
    [
      ['languages[]', '1'],
      ['languages[]', '2'],
    ],
    { languages: [1, 2] },
  ],
  'a list with its places': [
    [
      ['languages[0]', '1'],
      ['languages[1]', '2'],
    ],
    { languages: [1, 2] },
  ],
  'a list as JSON': [[['languages', ' [1, "2"]']], { languages: [1, 2] }],
  'an empty list as JSON': [[['languages', '[]']], { languages: [] }],
  'a list in a JSON part': [[['languages', [1, 2]]], { languages: [1, 2] }],
  'a list of nothing is absent': [[['languages[]', '']], {}],
  'a list of nothing that clears the field': [[['sections', '']], { sections: [] }],
  'a list with something that is no number': [
    [
      ['languages', '1'],
      ['languages', 'x'],
    ],
    { languages: [1, 'x'] },
  ],
  'a list of texts that look like JSON': [
    [
      ['tags', '[broken'],
      ['tags', '{}'],
    ],
    { tags: ['[broken', '{}'] },
  ],
  'a map in brackets': [
    [
      ['licenses[12]', 'A'],
      ['licenses[13]', 'B'],
    ],
    { licenses: { 12: 'A', 13: 'B' } },
  ],
  'a map in brackets without the empty': [
    [
      ['licenses[12]', ''],
      ['licenses[13]', 'B'],
    ],
    { licenses: { 13: 'B' } },
  ],
  'a map as JSON': [[['licenses', '{"12":"A"}']], { licenses: { 12: 'A' } }],
  'a map in a JSON part': [[['licenses', { 12: 'A' }]], { licenses: { 12: 'A' } }],
  'a map of numbers': [[['scores[a]', '٧']], { scores: { a: 7 } }],
  'a map of nothing that clears the field': [[['scores', '']], { scores: {} }],
  'a key that stands twice': [
    [
      ['licenses[1]', 'A'],
      ['licenses[1]', 'B'],
    ],
    { licenses: { 1: ['A', 'B'] } },
  ],
  'a map in two forms at once': [
    [
      ['licenses', '{}'],
      ['licenses[1]', 'B'],
    ],
    { licenses: ['{}', 'B'] },
  ],
  'JSON with a name twice stays a text': [[['licenses', '{"1":"A","1":"B"}']], { licenses: '{"1":"A","1":"B"}' }],
  'brackets behind what is no list stay in the name': [
    [
      ['name[]', 'x'],
      ['name[a]', 'y'],
    ],
    { 'name[]': 'x', 'name[a]': 'y' },
  ],
  'brackets in brackets stay in the name': [[['licenses[a][b]', 'x']], { 'licenses[a][b]': 'x' }],
}

for (const [title, [given, meant]] of Object.entries(cases)) {
  void t.test(title, (t) => {
    t.same(JSON.parse(JSON.stringify(read(...given))), meant)
    t.end()
  })
}

void t.test('what only programs write as a number is none', (t) => {
  for (const text of ['0x10', '1e3', '+5', '1.0', '5.', '.5', '1,5', '١_٠', 'Infinity', 'NaN', '--1', '9'.repeat(16)])
    t.same(read(['day', text]), { day: text }, text)
  for (const text of ['0x10', '1e3', '+5', '5.', '.5', '1,5', 'Infinity', 'NaN', '9'.repeat(16)])
    t.same(read(['latitude', text]), { latitude: text }, text)
  t.end()
})

void t.test('of a union, the fields are those of the variant that the tag names', (t) => {
  const variant = (tag: string, properties: Record<string, FormSchema>): FormSchema => ({
    properties: { kind: { type: 'string', enum: [tag] }, ...properties },
  })
  const union: FormSchema = {
    oneOf: [
      variant('a', { size: { type: 'string', 'x-clearable': true } }),
      variant('b', { size: { type: 'integer' } }),
    ],
    discriminator: { propertyName: 'kind' },
  }
  const meant = (kind: string, size: string): object => ({
    ...formValues(union, [
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

void t.test('no name and no value reaches for a prototype', (t) => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.constantFrom('__proto__', 'licenses[__proto__]', 'licenses', 'constructor', 'name'), fc.string()),
      ),
      (given) => {
        const form = formValues(
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

void t.test('every whole number reads as itself, in all digits', (t) => {
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
