// Values that programs stumble over.
import type { Random } from './random.ts'

const DEEP = 1500

const TEXTS: readonly string[] = [
  // empty texts and control characters
  ...['', ' ', '\u0000', 'a\u0000b', '\u0085', '\u009f', '\u001b[31m', '\r\nX-Injected: 1'],
  // marks, and halves of characters
  ...['\u202eabc', '\u2066abc', '\u200b\u200d\u200c', '\ufeff', '\ufffd', '\ud800', 'a\udfff'],
  // characters of several units, marks or letters
  ...['😀'.repeat(40), 'e\u0301'.repeat(60), 'ﷺ'.repeat(40)],
  // numbers
  ...['NaN', '-Infinity', '1e999', '0x10', '-0', '1.5', '٠٥١٢٣٤٥٦٧٨', '۱۲۳', '٣٫٥'],
  ...['9'.repeat(15), '9'.repeat(16), '9'.repeat(400), '2147483648', '-2147483649'],
  // JSON, and members of all objects
  ...['null', 'true', '[]', '{}', '[1', '{"__proto__":{"is_admin":true}}', '__proto__', 'constructor', 'toString'],
  // what other languages read as code
  ...["' OR 1=1 --", '%_\\', '<script>alert(1)</script>', '../../../etc/passwd', '%00%ff'],
  // e-mail addresses and phone numbers
  ...['a@b.co', ' A@B.CO ', 'ä@ö.ü', `${'a'.repeat(250)}@b.co`, '+999999999999999', '0500000001', '00966500000001'],
  // dates that do not exist or are out of range
  ...['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '+275760-09-13T00:00:00Z'],
  '2026-01-01T00:00:00+24:00',
  // ids, and cursors of numbers that are out of range
  ...['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF'],
  ...['999999999999999', '999999999999999.999999999999999', '-1'].map((text) =>
    Buffer.from(text).toString('base64url'),
  ),
  // values of enumerations
  ...['client', 'lawyer'],
]

const NUMBERS: readonly number[] = [
  ...[0, -0, -1, 1.5, 4, 100, 101],
  ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53],
  ...[1e21, 1e308, 5e-324],
]

export const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'accept-language': [
    ...['ar', 'en', 'ar-SA,ar;q=0.9,en;q=0.8', 'ar_SA@calendar=gregorian', '*', '*;q=0'],
    ...[';;;,,,q=', 'x'.repeat(300), 'en;q=NaN', 'en, '.repeat(60), '\u00e9\u00ff'],
  ],
  authorization: [
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln',
    'Bearer eyJhbGciOiJFZERTQSJ9.bm8ganNvbg.c2ln',
    'Bearer eyJhbGciOiJFZERTQSIsImtpZCI6Il9fcHJvdG9fXyJ9.e30.c2ln',
    'Basic YTpi',
    `Bearer ${'a'.repeat(5000)}`,
    'Bearer \u00ff.\u00ff.\u00ff',
  ],
  accept: ['text/html', 'application/xml;q=1', '*/*;q=0', 'garbage'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"', '"', ','.repeat(200)],
  'cache-control': ['no-cache', 'max-age=0', 'only-if-cached'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=5-1,,', 'lines=1'],
  'content-encoding': ['gzip', 'identity', 'br, gzip', 'x'],
  'user-agent': ['', 'x'.repeat(4000), 'Mozilla/5.0 (\u00e9)', '%s%n', '__proto__'],
  origin: ['null', 'http://localhost:5173', 'https://evil.example', '://'],
  'x-forwarded-for': ['', 'unknown', '::1', '1.2.3.4:99', 'a, b, c', '10.0.0.1, 127.0.0.1', '999.1.1.1'],
  'x-request-id': ['x'.repeat(500), '\u00ff'],
  'x-http-method-override': ['DELETE'],
  cookie: ['a=b; __proto__=1'],
}

export function hostileText(random: Random): string {
  if (random.chance(0.1)) return 'x'.repeat(random.pick([65, 101, 255, 257, 501, 5000]))
  return random.pick(TEXTS)
}

export function hostileValue(random: Random): unknown {
  const makers: (() => unknown)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.pick(NUMBERS),
    () => hostileText(random),
    () => hostileText(random),
    () => Array.from({ length: random.pick([1, 101, 1000]) }, (_, index) => index),
    () => Object.fromEntries(Array.from({ length: random.pick([1, 150]) }, (_, index) => [`k${index}`, index])),
    () => ({ [hostileText(random)]: hostileText(random) }),
    () => nested(random.pick([3, 19, 25])),
    ...[[], {}, [[]], [null, {}, [1]], { length: 1, toString: 'x', then: 'x' }].map((value) => () => value),
  ]
  return random.pick(makers)()
}

/** JSON text that is no JSON, or that two readers could read differently. */
export function brokenJson(json: string, random: Random): Buffer {
  const texts: (() => string | Buffer)[] = [
    () => '',
    () => json.slice(0, random.int(0, Math.max(0, json.length - 1))),
    () => `${json}}`,
    () => `\ufeff${json}`,
    () => Buffer.from(json, 'utf16le'),
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]),
    () => json.replace('{', '{"__proto__":{"a":1},'),
    () => json.replace('{', '{"constructor":1,'),
    () => json.replace(/^\{("[^"]*"):/, '{$1:null,$1:'),
    () => json.replaceAll('"', "'"),
    () => `/* */${json}`,
    () => '{"a":NaN}',
    () => '{"a":1e}',
    () => '{"a":01}',
    () => '['.repeat(DEEP) + ']'.repeat(DEEP),
    () => '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
    () => '\u0000',
    () => `"${'x'.repeat(70_000)}"`,
  ]
  return Buffer.from(random.pick(texts)())
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) }
}
