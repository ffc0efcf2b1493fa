import { PDFName, PDFNull } from '@cantoo/pdf-lib'
import { ObjectReader, type Entries, type Pool } from './object-reader.ts'
import { findObjectStream, inflateObjectStream, type ObjectStream } from './object-stream.ts'

const FAULTS = ['file_active_content', 'file_encrypted', 'file_unreadable'] as const
/** Why a PDF is rejected: it can run actions on the reader's computer, it is encrypted, or it cannot be inspected. */
export type PdfFault = (typeof FAULTS)[number]

/** Scripts, programs, rich media and embedded files (ISO 32000-1, 7.11.4, 12.6.4 and 13.6) */
const ACTIVE_TYPES = ['JavaScript', 'Launch', 'RichMedia', 'RichMediaExecute', 'EmbeddedFile'].map(PDFName.of)
const TYPE_KEYS = ['S', 'Subtype', 'Type'].map(PDFName.of)
/** Scripts of actions and of 3D artwork, embedded files, and forms with scripts */
const ACTIVE_KEYS = ['JS', 'OnInstantiate', 'EF', 'XFA'].map(PDFName.of)
/** Values without content, and names, which these keys cannot have */
const INACTIVE = /^(?:null|\/.*|[\s()<>[\]]*)$/
const ENCRYPT = PDFName.of('Encrypt')

/** What comes before an object, such as `12 0 obj`, with spaces or comments, or before the dictionary of a trailer */
const SPACE = '(?:[\\0\\t\\n\\f\\r ]|%[^\\r\\n]*[\\r\\n])'
const HEADER = new RegExp(`obj(?<=[\\d.]${SPACE}+[\\d.+-]+${SPACE}*obj)|trailer(?=[\\0\\s]{0,64}<<)`, 'g')

/** Limit of the bytes to parse, for the time. The data of streams is not parsed, except of object streams. */
const BYTES_MAX = 13 * 1024 * 1024
/** In bytes to parse */
const COST = { object: 8, objectStream: 2048, inflatedByte: 0.25 }
/** Half of the bytes that are parsed at once, for the memory: the limit of an object is between that and twice that. */
const OBJECT_BYTES_MAX = 768 * 1024

/**
 * Finds active content in the objects of a PDF. Every `12 0 obj` counts, even in a string or in the data of a stream,
 * because readers follow references to any place in the file, and search all of it if a reference is broken.
 */
export function findPdfFault(file: Buffer, pool: Pool = { values: new Set(), size: 0 }): PdfFault | undefined {
  const faults = new Set<PdfFault>()
  try {
    findFaults(file, pool, faults)
  } catch {
    faults.add('file_unreadable') // an object is broken or nested too deeply, or there are too many
  }
  return FAULTS.find((fault) => faults.has(fault))
}

function findFaults(file: Buffer, pool: Pool, faults: Set<PdfFault>): void {
  const streams: ObjectStream[] = []
  let bytesLeft = BYTES_MAX
  const headers = file.toString('latin1').matchAll(HEADER)
  const begins = Array.from(headers, ({ index, 0: header }) => index + header.length)
  readObjects(file, begins)
  if (bytesLeft === BYTES_MAX) faults.add('file_unreadable') // no objects
  if (faults.size > 0) return // object streams may be encrypted
  for (const stream of streams) {
    const bytes = inflateObjectStream(stream, bytesLeft)
    spend(COST.objectStream + (stream.isCompressed ? bytes.length * COST.inflatedByte : 0))
    const integers = openReader(bytes, 0).readIntegers(2 * stream.count)
    const offsets = new Set(integers.filter((_, index) => index % 2 === 1))
    const sorted = [...offsets].map((offset) => stream.first + offset).sort((one, other) => one - other)
    readObjects(bytes, sorted)
  }

  function readObjects(bytes: Buffer, offsets: readonly number[]): void {
    let begin = -Infinity
    let reader: ObjectReader | undefined
    for (const offset of offsets) {
      if (!reader || offset - begin > OBJECT_BYTES_MAX) {
        begin = offset
        reader = openReader(bytes, begin)
      }
      const { object, end } = reader.readAt(offset - begin)
      if (end === 2 * OBJECT_BYTES_MAX) throw new RangeError('An object is too large')
      spend(COST.object + begin + end - offset)
      if (object instanceof PDFName) check(TYPE_KEYS.map((key) => [key, object])) // a type can be a reference
      const stream = findObjectStream(object, bytes, begin + end)
      if (stream) streams.push(stream)
    }
  }

  function openReader(bytes: Buffer, begin: number): ObjectReader {
    return new ObjectReader(bytes.subarray(begin, begin + 2 * OBJECT_BYTES_MAX), pool, check)
  }

  function check(entries: Entries): void {
    if (!faults.has('file_active_content') && entries.some(isActive)) faults.add('file_active_content')
    if (entries.some(([key, value]) => key === ENCRYPT && value !== PDFNull)) faults.add('file_encrypted')
  }

  function spend(bytes: number): void {
    bytesLeft -= bytes
    if (bytesLeft <= 0) throw new RangeError('There are too many objects')
  }
}

function isActive([key, value]: Entries[number]): boolean {
  if (TYPE_KEYS.includes(key)) return value instanceof PDFName && ACTIVE_TYPES.includes(value)
  return ACTIVE_KEYS.includes(key) && !INACTIVE.test(String(value))
}
