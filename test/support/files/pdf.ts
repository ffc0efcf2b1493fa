// PDFs for tests, made of objects.
import { deflateSync } from 'node:zlib'

type Part = string | Buffer

const join = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

/** Makes a PDF of objects, which are numbered from 1. A trailer and an end follow. */
export function pdf(...objects: readonly Part[]): Buffer {
  const numbered = objects.map((object, index) => join(`${index + 1} 0 obj\n`, object, '\nendobj\n'))
  return raw(...numbered, 'trailer\n<< /Root 1 0 R >>\n')
}

/** Makes a PDF of parts that are not numbered. */
export function raw(...parts: readonly Part[]): Buffer {
  return join('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', ...parts, 'startxref\n0\n%%EOF\n')
}

/** Makes a stream. Its length can be among the entries of `dictionary`. */
export function stream(dictionary: string, data: Part): Buffer {
  const bytes = join(data)
  const length = dictionary.includes('/Length') ? '' : `/Length ${bytes.length} `
  return join(`<< ${dictionary} ${length}>>\nstream\r\n`, bytes, '\nendstream')
}

/** Makes an object stream. `entries` replaces entries of its dictionary, and `encode` the compression. */
export function objectStream(
  objects: readonly string[],
  entries: Readonly<Record<string, string>> = {},
  encode: (plain: Buffer) => Part = deflateSync,
): Buffer {
  const starts = objects.map((_, index) => objects.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0))
  const header = starts.map((start, index) => `${100 + index} ${start} `).join('')
  const defaults = { Type: '/ObjStm', N: `${objects.length}`, First: `${header.length}`, Filter: '/FlateDecode' }
  const dictionary = Object.entries({ ...defaults, ...entries }).flatMap(([key, value]) =>
    value ? `/${key} ${value}` : [],
  )
  return stream(dictionary.join(' '), encode(Buffer.from(header + objects.join(' '))))
}
