// Bodies of multipart/form-data, good and broken, with files: small valid ones, and some with a wrong type.
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'

type FormFile = Readonly<{ filename: string; type: string; bytes: Buffer }>
export type Part = Readonly<{ name: string; value: string | FormFile }>

export const BOUNDARY = 'fuzz-7f3a9c'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n')
const IMAGE: FormFile = { filename: 'photo.png', type: 'image/png', bytes: PNG }
const DOCUMENT: FormFile = { filename: 'document.pdf', type: 'application/pdf', bytes: PDF }
const DOCUMENT_FIELDS = new Set(['degree_certificate', 'company_license_file', 'cv_file'])

const BAD: readonly FormFile[] = [
  { ...IMAGE, bytes: Buffer.alloc(0) },
  { ...IMAGE, bytes: PNG.subarray(0, 40) },
  { ...IMAGE, bytes: Buffer.concat([PNG.subarray(0, 16), Buffer.from([0x7f, 0xff, 0xff, 0xff]), PNG.subarray(20)]) },
  // the beginnings of a JPEG, a WebP and a GIF
  ...['\xff\xd8\xff\xe0\x00\x10JFIF', 'RIFF\xff\xff\xff\xffWEBPVP8X', 'GIF89a\x01\x00\x01\x00'].map((text) => {
    return { ...IMAGE, bytes: Buffer.from(text, 'latin1') }
  }),
  { ...IMAGE, type: 'image/svg+xml', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  { ...IMAGE, bytes: Buffer.from('MZ this is a program') },
  { ...IMAGE, type: 'text/html', filename: '../../a".html' },
  { ...IMAGE, filename: '' },
  { ...IMAGE, filename: 'ص'.repeat(200) },
  { ...IMAGE, bytes: Buffer.alloc(64 * 1024, 1) },
  { ...DOCUMENT, bytes: Buffer.from('%PDF-') },
  ...['{"__proto__":1}', '[8,40]', 'null', '\xff\xfe'].map((text) => {
    return { filename: 'blob', type: 'application/json', bytes: Buffer.from(text, 'latin1') }
  }),
]
const BAD_SHARE = 0.3
/** Large files cost more than they find. */
const LARGE_SHARE = 0.003
const LARGE_BYTES = 5 * 1024 * 1024 + 1

/** The parts that a form has for an object: lists and maps in any of the ways that clients send them. */
export function toParts(body: Readonly<Record<string, unknown>>, files: readonly string[], random: Random): Part[] {
  return Object.entries(body).flatMap(([name, value]): Part[] => {
    if (files.includes(name)) return [{ name, value: generateFile(name, random) }]
    if (Array.isArray(value)) return listParts(name, value, random)
    if (typeof value === 'object' && value !== null) return mapParts(name, value, random)
    return [{ name, value: toText(value) }]
  })
}

function listParts(name: string, list: readonly unknown[], random: Random): Part[] {
  const way = random.int(0, 3)
  if (way === 0) return [{ name, value: JSON.stringify(list) }]
  const itemName = (index: number): string => [name, `${name}[]`, `${name}[${index}]`][way - 1] ?? name
  return list.slice(0, 120).map((item, index) => ({ name: itemName(index), value: toText(item) }))
}

function mapParts(name: string, map: object, random: Random): Part[] {
  const way = random.int(0, 2)
  const json = JSON.stringify(map)
  if (way === 0) return [{ name, value: json }]
  if (way === 1) return [{ name, value: { filename: 'blob', type: 'application/json', bytes: Buffer.from(json) } }]
  return Object.entries(map).map(([key, value]) => ({ name: `${name}[${key}]`, value: toText(value) }))
}

/** JSON numbers and null as a form writes them */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function generateFile(name: string, random: Random): FormFile {
  if (random.chance(LARGE_SHARE)) return { ...IMAGE, bytes: Buffer.alloc(LARGE_BYTES, 1) }
  if (random.chance(BAD_SHARE)) return random.pick(BAD)
  return DOCUMENT_FIELDS.has(name) && random.chance(0.5) ? DOCUMENT : IMAGE
}

/** The parts with something repeated, lost, added, renamed or in place of something else. */
export function mutateParts(parts: readonly Part[], names: readonly string[], random: Random): Part[] {
  const copy = [...parts]
  const at = random.int(0, Math.max(0, copy.length - 1))
  const one = copy[at] ?? { name: 'a', value: 'b' }
  const any = names.length > 0 ? random.pick(names) : 'a'
  const mutations: (() => void)[] = [
    () => copy.splice(at, 1),
    () => copy.push(one, { ...one, value: hostileText(random) }),
    () => (copy[at] = { ...one, value: hostileText(random) }),
    () => (copy[at] = { ...one, value: generateFile(one.name, random) }),
    () => copy.push({ name: any, value: generateFile(any, random) }),
    () => copy.push({ name: any, value: hostileText(random) }),
    () => copy.push({ name: hostileText(random), value: hostileText(random) }),
    () => copy.push({ name: `${any}[${hostileText(random)}]`, value: hostileText(random) }),
    () => copy.push({ name: `${any}[__proto__]`, value: '1' }, { name: '__proto__[is_admin]', value: 'true' }),
    () => copy.push({ name: `${any}[99999999]`, value: '1' }, { name: `${any}[0][1]`, value: '1' }),
    () => copy.push(...Array.from({ length: random.pick([50, 301]) }, () => ({ name: any, value: '1' }))),
    () => copy.push(random.pick([one, ...copy])),
    () => copy.reverse(),
    () => (copy[at] = { ...one, value: 'x'.repeat(random.pick([5000, 70_000])) }),
  ]
  random.pick(mutations)()
  return copy
}

export function encode(parts: readonly Part[], boundary = BOUNDARY): Buffer {
  const chunks = parts.flatMap(({ name, value }) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`
    if (typeof value === 'string') return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)]
    const { filename, type, bytes } = value
    return [
      Buffer.from(`${head}; filename="${escapeName(filename)}"\r\nContent-Type: ${type}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

/** As browsers do it. */
function escapeName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

export function brokenForm(parts: readonly Part[], random: Random): Buffer {
  const good = encode(parts)
  const text = good.toString('latin1')
  const from = (broken: string): Buffer => Buffer.from(broken, 'latin1')
  const withHeader = (header: string): Buffer => {
    return from(text.replace('Content-Disposition', `${header}\r\nContent-Disposition`))
  }
  const forms: (() => Buffer)[] = [
    () => good.subarray(0, random.int(0, good.length)),
    () => from(text.replace(`--${BOUNDARY}--\r\n`, '')),
    () => from(text.replaceAll('\r\n', '\n')),
    () => from(text.replaceAll('name=', 'nam=')),
    () => from(text.replaceAll('form-data', 'attachment')),
    () => withHeader('Content-Disposition: x'),
    () => withHeader(`X-Long: ${'x'.repeat(20_000)}`),
    () => withHeader('Content-Transfer-Encoding: base64'),
    () => withHeader('Content-Type: text/plain; charset=utf-16'),
    () => withHeader('Content-Type: multipart/mixed; boundary=in'),
    () => from(text.replace('name="', 'name="\u0000\u00ff')),
    () => from(text.replace(/name="[^"]*"/, `name="${'n'.repeat(300)}"`)),
    () => from(text.replace(/name="[^"]*"/, "name*=utf-8''%ff%00")),
    () => encode(parts, `${BOUNDARY}-other`),
    () => Buffer.concat([Buffer.from('preamble\r\n'), good, Buffer.from('epilogue')]),
    () => Buffer.concat([good, good]),
    () => Buffer.alloc(0),
    () => Buffer.from(`--${BOUNDARY}--\r\n`),
    () => Buffer.from('{"phone_code":"966","phone":"0512345678"}'),
  ]
  return random.pick(forms)()
}
