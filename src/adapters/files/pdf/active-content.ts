import { constants, inflateSync } from 'node:zlib'

/** Why a PDF is rejected: it can run actions on the reader's computer, it is encrypted, or it cannot be inspected. */
export type PdfFault = 'active' | 'encrypted' | 'unreadable'

const DELIMITER = '(?=[\\0\\t\\n\\f\\r ()<>\\[\\]{}/%]|$)'
const SPACE = '[\\0\\t\\n\\f\\r ]{0,64}'
/** A dictionary or a reference to one: `<<` or `12 0 R` */
const OBJECT = `${SPACE}(?:<<|\\d{1,10}${SPACE}\\d{1,5}${SPACE}R)`

/** Actions that run a script or a program, embedded files, and forms with scripts (ISO 32000-1, 7.11.4, 12.6.4) */
const ACTIVE = new RegExp(
  `${anyOf('JavaScript', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'XFA')}|${namePattern('EF', OBJECT)}`,
)
/**
 * A rendition action can have a script without the name `JavaScript` (12.6.4.13). Its key alone proves nothing: one in 200
 * files with 10 MB of compressed images contains the bytes `/JS(` or `/JS<`.
 */
const RENDITION = new RegExp(anyOf('Rendition'))
const RENDITION_SCRIPT = new RegExp(anyOf('JS'))
const ENCRYPT = new RegExp(anyOf('Encrypt'))
const OBJECT_STREAM = new RegExp(anyOf('ObjStm'), 'g')
/** Compressed objects need a cross-reference stream (7.5.8), whether or not their own streams have a type. */
const COMPRESSED_OBJECTS = new RegExp(anyOf('ObjStm', 'XRef', 'XRefStm'))
/** Filters that this does not decode, and that programs which write compressed objects do not use */
const OTHER_FILTERS = new RegExp(anyOf('ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'RunLengthDecode'))
const PREDICTOR = new RegExp(anyOf('Predictor'))
const STREAM = /(?<!end)stream\r?\n/g
/** The object numbers at the start of an object stream */
const OBJECT_NUMBERS = /^[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]/

const DICTIONARY_BYTES = 2048
const HEAD_BYTES = 256
/** Limit for all object streams of a file together, because a small file can inflate to a very large size. */
const INFLATED_BYTES_MAX = 64 * 1024 * 1024

/**
 * Finds active content in a PDF, including compressed object streams and escaped names (`/J#61vaScript`). This is not a
 * parser: readers tolerate broken files that hide more than this finds. PDFs are therefore also served as attachments.
 */
export function findPdfFault(file: Buffer): PdfFault | undefined {
  const text = file.toString('latin1')
  if (ACTIVE.test(text)) return 'active'
  if (ENCRYPT.test(text)) return 'encrypted'
  const streams = inflateObjectStreams(file, text)
  if (!streams) return 'unreadable'
  const contains = (pattern: RegExp): boolean => [text, ...streams].some((each) => pattern.test(each))
  if (contains(COMPRESSED_OBJECTS) && contains(OTHER_FILTERS)) return 'unreadable'
  const isActive = streams.some((stream) => ACTIVE.test(stream)) || (contains(RENDITION) && contains(RENDITION_SCRIPT))
  return isActive ? 'active' : undefined
}

/** Inflates the object streams; undefined if one is compressed in another way, or if they are too large. */
function inflateObjectStreams(file: Buffer, text: string): string[] | undefined {
  const inflated: string[] = []
  let bytesLeft = INFLATED_BYTES_MAX
  let declared = text.match(OBJECT_STREAM)?.length ?? 0
  for (const { index, 0: keyword } of text.matchAll(STREAM)) {
    const data = file.subarray(index + keyword.length)
    const hasObjects = beginsWithObjects(data)
    if (!hasObjects && declared === 0) continue
    const dictionary = readDictionaryBefore(text, index)
    const isDeclared = dictionary.search(OBJECT_STREAM) >= 0
    if (!hasObjects && !isDeclared) continue
    const stream = PREDICTOR.test(dictionary) ? undefined : inflate(data, bytesLeft)
    if (stream === undefined) return undefined
    if (isDeclared) declared--
    bytesLeft -= stream.length
    inflated.push(stream)
  }
  return declared > 0 ? undefined : inflated
}

function beginsWithObjects(data: Buffer): boolean {
  const head = inflate(data.subarray(0, HEAD_BYTES), HEAD_BYTES * 1100)
  return head !== undefined && OBJECT_NUMBERS.test(head)
}

function readDictionaryBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - DICTIONARY_BYTES), index)
  return before.slice(before.lastIndexOf(' obj') + 1)
}

/** Inflates as much as the data contains; undefined if it is not zlib data or exceeds `bytesMax`. */
function inflate(data: Buffer, bytesMax: number): string | undefined {
  if (bytesMax <= 0 || !isZlib(data)) return undefined
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: bytesMax }
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** RFC 1950, 2.2: checks the method and the check bits of two bytes, because trying to inflate costs much more. */
function isZlib(data: Buffer): boolean {
  const [method = 0, flags = 0] = data
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0
}

function anyOf(...names: readonly string[]): string {
  return names.map((name) => namePattern(name, DELIMITER)).join('|')
}

/** Returns a pattern for a name in which any character may be escaped as hexadecimal. */
function namePattern(name: string, next: string): string {
  const characters = [...name].map((character) => {
    const hex = character.charCodeAt(0).toString(16)
    const digits = [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
    return `(?:${character}|#${digits.join('')})`
  })
  return `/${characters.join('')}${next}`
}
