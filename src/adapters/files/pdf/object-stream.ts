import { PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib'
import { constants, inflateSync } from 'node:zlib'

/** A stream that contains objects. Its data is followed by the rest of the file, because its length may be wrong. */
export type ObjectStream = Readonly<{ count: number; first: number; isCompressed: boolean; data: Buffer }>

/** The last two are other names of the filter and its parameters for some readers. */
const KEYS = ['N', 'First', 'Filter', 'DecodeParms', 'F', 'DP'].map(PDFName.of)
/** The values of these keys. Programs compress object streams with Flate, without a predictor, or not at all. */
const VALUES = /^(\d{1,6}),(\d+),(\/FlateDecode|\[ \/FlateDecode \]|),(?!.*(?:\d R\b|\/Predictor (?!1\b))).*,,$/s
const KEYWORD = /^stream *(?:\r\n?|\n)/
const KEYWORD_BYTES = 64

/**
 * Returns the object stream with a dictionary that ends at `end`; undefined if it is none. Its type is optional.
 *
 * @throws an error if readers may disagree about its objects
 */
export function findObjectStream(object: PDFObject | undefined, bytes: Buffer, end: number): ObjectStream | undefined {
  const values = object instanceof PDFDict ? KEYS.map((key) => object.get(key)) : []
  const text = values[0] && values[1] ? bytes.toString('latin1', end, end + KEYWORD_BYTES) : ''
  if (!text.startsWith('stream')) return undefined
  const [, count, first, filter] = VALUES.exec(values.join()) ?? []
  const [keyword] = KEYWORD.exec(text) ?? []
  if (!keyword || filter === undefined) throw new Error('Readers may disagree about the objects of a stream')
  const data = bytes.subarray(end + keyword.length)
  return { count: Number(count), first: Number(first), isCompressed: filter !== '', data }
}

/** @throws an error if the data is broken, or larger than `bytesMax` */
export function inflateObjectStream({ isCompressed, data }: ObjectStream, bytesMax: number): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.ceil(bytesMax) }
  return isCompressed ? inflateSync(data, options) : data
}
