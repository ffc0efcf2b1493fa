// Parsing of account files, in chunks of any size.
import fc from 'fast-check'
import t from 'tap'
import { publicKeyCheck } from '../../src/adapters/passkeys/public-keys.ts'
import { phoneNumbers } from '../../src/adapters/sms/phone-numbers.ts'
import { parseOptions } from '../../src/cli/import/arguments.ts'
import { LINE_BYTES_MAX, readLines, type Line } from '../../src/cli/import/readers/lines.ts'
import { reportLine } from '../../src/cli/import/report/lines.ts'
import { rowCheck } from '../../src/cli/import/rows/row-check.ts'
import { rowSchema } from '../../src/cli/import/rows/row-schema.ts'
import { type Row } from '../../src/cli/import/readers/lines.ts'
import { readRows } from '../../src/cli/import/readers/rows.ts'

const schema = rowSchema()
const NOW_MS = Date.UTC(2026, 0, 1)
const RULES = { sealTotp: () => new Uint8Array(), relyingPartyId: 'localhost', checkPublicKey: await publicKeyCheck() }
const check = rowCheck(schema, { phoneNumbers: phoneNumbers(), factors: RULES, nowMs: () => NOW_MS })
const HASH = `$2b$10$${'x'.repeat(53)}`
const HEAD = 'email,password_hash,phone_code,phone,account_type,name\n'
const PERSON = { email: 'a@example.org', password_hash: HASH, phone_code: '966', phone: '0512345678' }
const CLIENT = { ...PERSON, account_type: 'client', name: 'نوف' }
const LAWYER = { ...PERSON, account_type: 'lawyer', first_name: 'a', second_name: 'b', fourth_name: 'd' }

/** Splits bytes into pieces of a given length, as a file arrives. */
async function* inPieces(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

async function allOf<Item>(arriving: AsyncIterable<Item[]>): Promise<Item[]> {
  const all: Item[] = []
  for await (const items of arriving) all.push(...items)
  return all
}

const rowsIn = (text: string, format: 'csv' | 'jsonl', skipped = 0): Promise<Row[]> =>
  allOf(readRows(inPieces(text, 1000), format, schema, skipped))

function failuresOf(fields: object): unknown {
  const { result } = check({ line: 2, end: 0, content: { fields: { ...fields } } })
  return 'failures' in result ? result.failures : {}
}

void t.test('reads the same lines from any chunks', async (t) => {
  const line = fc.oneof(fc.string(), fc.constant('نوف'), fc.constant('x'.repeat(LINE_BYTES_MAX + 1)))
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 70 }),
      async (given, end, size) => {
        const texts = given.map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ''))
        const found = await allOf<Line>(readLines(inPieces(`\uFEFF${texts.join(end)}`, size)))
        const kept = (text: string): string | undefined => (text.length > LINE_BYTES_MAX ? undefined : text)
        const filled = texts.map((text, index) => ({ number: index + 1, text: kept(text) }))
        t.same(
          found.map(({ number, text }) => ({ number, text })),
          filled.filter(({ text }) => text?.trim() !== ''),
        )
      },
    ),
    { numRuns: 50 },
  )
})

void t.test('reads quoted CSV, and isolates a broken row', async (t) => {
  const value = fc.string({ minLength: 1 }).filter((text) => !/[\r\n\0]|^\s*$|^\uFEFF/.test(text))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(value), { minLength: 1 }), async (names) => {
      const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
      const lines = names.map((name) => `a,b,c,d,client,${name === null ? '"open' : quoted(name)}`)
      const rows = await rowsIn(HEAD + lines.join('\n'), 'csv')
      t.same(
        rows.map(({ content }) => ('fields' in content ? content.fields['name'] : null)),
        names,
      )
    }),
    { numRuns: 50 },
  )
})

void t.test('skips imported rows without changing line numbers', async (t) => {
  const text = `${HEAD}\n${'a,b,c,d,client,e\n'.repeat(100)}`
  const lines = (await rowsIn(text, 'csv', 70)).map(({ line, end }) => [line, end])
  t.equal(lines.length, 30)
  t.same([lines[0]?.[0], lines.at(-1)], [73, [102, Buffer.byteLength(text)]])
})

void t.test('reports all faults of a row', (t) => {
  t.same(failuresOf(CLIENT), {})
  t.same(
    failuresOf({
      ...LAWYER,
      third_name: 'c',
      phone_verified: true,
      email_verified: false,
      created_at: '2020-01-01 00:00:00+00',
    }),
    {},
  )
  const wrong: [object, object][] = [
    [{ password_hash: `${HASH}x` }, { password_hash: ['wrong_format'] }],
    [{ password_hash: `$tw2$${HASH}` }, { password_hash: ['wrong_format'] }],
    [
      { password_hash: `$tw1$${HASH.replace('10', '03')}` },
      { password_hash: [{ code: 'too_small', values: { limit: 4 } }] },
    ],
    [{ password_hash: HASH.replace('2b', '2x') }, { password_hash: ['wrong_format'] }],
    [{ password_hash: HASH.replace('10', '03') }, { password_hash: [{ code: 'too_small', values: { limit: 4 } }] }],
    [{ password_hash: HASH.replace('10', '16') }, { password_hash: [{ code: 'too_large', values: { limit: 15 } }] }],
    [{ created_at: '2016-12-31T23:59:60Z' }, { created_at: ['date_unreal'] }],
    [{ created_at: '2026-01-01T00:00:01Z' }, { created_at: ['not_allowed'] }],
    [{ created_at: '0000-01-01T00:00:00Z' }, { created_at: ['not_allowed'] }],
    [{ created_at: 'yesterday' }, { created_at: ['wrong_format'] }],
    [{ name: 'a\u0000b' }, { name: ['wrong_format'] }],
    [{ name: 'a\u0085b' }, { name: ['wrong_format'] }],
    [{ name: '\u200D\u3164' }, { name: ['wrong_format'] }],
    [{ name: 'x'.repeat(161) }, { name: [{ code: 'too_long', values: { limit: 160 } }] }],
    [{ phone: '0112345678' }, { phone: ['phone_not_mobile'] }],
    [{ phone_code: '20' }, { phone: ['phone_invalid'] }],
    [{ password: 'secret' }, { password: ['unknown_field'] }],
    [{ first_name: 'a' }, { first_name: ['unknown_field'] }],
  ]
  for (const [more, failures] of wrong) t.same(failuresOf({ ...CLIENT, ...more }), failures, JSON.stringify(more))
  t.same(Object.keys(failuresOf({}) as object).sort(), [...schema.columns.required].sort(), 'all missing fields')
  t.end()
})

void t.test('never writes a password hash to the report', (t) => {
  const failures = { email: ['wrong_format'] } as const
  const line = reportLine({ line: 2, email: `nouf ${HASH}`, failures })
  t.equal(
    line,
    '{"line":2,"email":"nouf ***","errors":{"email":["This value has the wrong format."]},"codes":{"email":["wrong_format"]}}\n',
  )
  t.match(reportLine({ line: 2, email: 7, failures }), '"email":null')
  t.end()
})

void t.test('parses the command line', (t) => {
  const order = { report: undefined, isDryRun: false }
  t.same(parseOptions(['/a/b.CSV']), { ...order, file: '/a/b.CSV', format: 'csv' })
  t.match(parseOptions(['/a/b', '--format', 'jsonl', '--dry-run', '--report', '/r']), { isDryRun: true, report: '/r' })
  for (const given of [['--help'], ['help'], ['/a/b.csv', '-h']]) t.equal(parseOptions(given), undefined)
  const wrong: [string[], RegExp][] = [
    [[], /^No file was given/],
    [['a.csv', 'b.csv'], /Unexpected arguments: b\.csv\./],
    [['a.xlsx'], /Add --format csv/],
    [['a.csv', '--format', 'xml'], /Unknown format: xml\./],
    [['a.csv', '--report', 'a.csv'], /must be different files/],
    [['a.csv', '--force'], /^Unknown option '--force'$/],
  ]
  for (const [given, message] of wrong)
    t.throws(() => parseOptions(given), { name: 'UsageError', message }, given.join(' '))
  t.end()
})
