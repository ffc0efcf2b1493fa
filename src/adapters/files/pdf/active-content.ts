import { constants, inflateSync } from 'node:zlib'

/** What is wrong with a PDF beyond its form: it can act on the computer of its reader, or it cannot be looked into. */
export type PdfFault = 'active' | 'encrypted' | 'unreadable'

const DELIMITER = '(?=[\\0\\t\\n\\f\\r ()<>\\[\\]{}/%]|$)'
const SPACE = '[\\0\\t\\n\\f\\r ]{0,64}'
/** A dictionary or a reference to one: `<<` or `12 0 R` */
const OBJECT = `${SPACE}(?:<<|\\d{1,10}${SPACE}\\d{1,5}${SPACE}R)`
const SCRIPT = `${SPACE}(?:[(<]|\\d{1,10}${SPACE}\\d{1,5}${SPACE}R)`

/** Actions that run a script or a program, files in the file, and forms that carry scripts (ISO 32000-1, 7.11.4, 12.6.4) */
const ACTIVE = new RegExp(
  [
    ...['JavaScript', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'XFA'].map((name) => namePattern(name)),
    nameBefore('EF', OBJECT),
    nameBefore('JS', SCRIPT),
  ].join('|'),
)
const ENCRYPT = new RegExp(namePattern('Encrypt'))
const OBJECT_STREAM = new RegExp(namePattern('ObjStm'), 'g')
const PREDICTOR = new RegExp(namePattern('Predictor'))
const STREAM = /(?<!end)stream\r?\n/g
/** The numbers that an object stream begins with */
const OBJECT_NUMBERS = /^[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]/

const DICTIONARY_BYTES = 2048
const HEAD_BYTES = 256
/** Of all object streams of a file together: a small file can inflate to very much */
const INFLATED_BYTES_MAX = 64 * 1024 * 1024

/**
 * Looks for active content in a PDF, also in its compressed object streams and behind escaped names (`/J#61vaScript`).
 * It is not a parser: a reader's tolerance for broken files can hide more than this finds, so that PDFs are served as
 * attachments all the same.
 */
export function pdfFault(file: Buffer): PdfFault | undefined {
  const text = file.toString('latin1')
  if (ACTIVE.test(text)) return 'active'
  if (ENCRYPT.test(text)) return 'encrypted'
  const streams = objectStreams(file, text)
  if (!streams) return 'unreadable'
  return streams.some((stream) => ACTIVE.test(stream)) ? 'active' : undefined
}

/** The inflated object streams; undefined when one of them is compressed in another way, or they are too large. */
function objectStreams(file: Buffer, text: string): string[] | undefined {
  const found: string[] = []
  let left = INFLATED_BYTES_MAX
  for (const { index, 0: keyword } of text.matchAll(STREAM)) {
    const data = file.subarray(index + keyword.length)
    const head = inflated(data.subarray(0, HEAD_BYTES), HEAD_BYTES * 1100)
    if (head === undefined || !OBJECT_NUMBERS.test(head)) continue
    if (PREDICTOR.test(dictionaryBefore(text, index))) return undefined
    const stream = inflated(data, left)
    if (stream === undefined) return undefined
    left -= stream.length
    found.push(stream)
  }
  const declared = text.match(OBJECT_STREAM)?.length ?? 0
  return declared > found.length ? undefined : found
}

function dictionaryBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - DICTIONARY_BYTES), index)
  return before.slice(before.lastIndexOf(' obj') + 1)
}

/** As far as the data goes; undefined when it is no such data or inflates to more than `bytesMax`. */
function inflated(data: Buffer, bytesMax: number): string | undefined {
  if (bytesMax <= 0 || !isZlib(data)) return undefined
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: bytesMax }
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** RFC 1950, 2.2: the method and the check bits of the first two bytes. Trying to inflate anything else costs much more. */
function isZlib(data: Buffer): boolean {
  const [method = 0, flags = 0] = data
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0
}

function namePattern(name: string): string {
  return nameBefore(name, DELIMITER)
}

/** A name of which any character may be escaped by its hexadecimal number. */
function nameBefore(name: string, next: string): string {
  const characters = [...name].map((character) => {
    const hex = character.charCodeAt(0).toString(16)
    const digits = [...hex].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
    return `(?:${character}|#${digits.join('')})`
  })
  return `/${characters.join('')}${next}`
}
