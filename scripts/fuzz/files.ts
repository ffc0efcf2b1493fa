// Files for forms: small valid ones, and some with a wrong type.
import type { Random } from './random.ts'

export type FormFile = Readonly<{ filename: string; type: string; bytes: Buffer }>

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

export function generateFile(name: string, random: Random): FormFile {
  if (random.chance(LARGE_SHARE)) return { ...IMAGE, bytes: Buffer.alloc(LARGE_BYTES, 1) }
  if (random.chance(BAD_SHARE)) return random.pick(BAD)
  return DOCUMENT_FIELDS.has(name) && random.chance(0.5) ? DOCUMENT : IMAGE
}
