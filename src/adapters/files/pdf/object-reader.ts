import { PDFDict, PDFName, PDFNumber, PDFParser, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'

/** The entries of a dictionary as written. A key can occur twice, and readers differ in which value they use. */
export type Entries = readonly (readonly [key: PDFName, value: PDFObject])[]

/** The names and references that the parser has met, and their size. It keeps them as long as the thread lives. */
export type Pool = { values: Set<PDFObject>; size: number }

/** Enough for 250,000 references, or 70,000 names of 10 characters; honest files of 10 MB have less than half of that. */
const POOL_MAX = 2_000_000
const COST = { value: 8, character: 2 }
const FIRST = PDFName.of('First')
const DICTIONARY_END = [...Buffer.from('>>')]
/** How objects that can contain a dictionary begin, and names */
const BEGINNINGS = [...Buffer.from('<[/')]

/** Parses the objects of a part of a file, and passes each dictionary to `visit`. Throws on broken objects. */
export class ObjectReader extends PDFParser {
  private readonly pool: Pool
  private readonly visit: (entries: Entries) => void

  constructor(source: Buffer, pool: Pool, visit: (entries: Entries) => void) {
    super(source)
    this.pool = pool
    this.visit = visit
  }

  /** Returns the object at an offset, undefined if it is a number, a string or a keyword, and the offset of its end. */
  readAt(offset: number): Readonly<{ object: PDFObject | undefined; end: number }> {
    this.bytes.moveTo(offset)
    this.skipWhitespaceAndComments()
    const object = BEGINNINGS.includes(this.bytes.peek()) ? this.parseObject() : undefined
    this.skipWhitespaceAndComments()
    return { object, end: this.bytes.offset() }
  }

  readIntegers(count: number): number[] {
    this.bytes.moveTo(0)
    return Array.from({ length: count }, () => {
      this.skipWhitespaceAndComments()
      return this.parseRawInt()
    })
  }

  protected override parseDict(): PDFDict {
    this.bytes.moveTo(this.bytes.offset() + DICTIONARY_END.length)
    this.skipWhitespaceAndComments()
    const entries: [PDFName, PDFObject][] = []
    while (!this.matchKeyword(DICTIONARY_END)) {
      entries.push([this.parseName(), this.parseObject()])
      this.skipWhitespaceAndComments()
    }
    this.visit(entries)
    const values = new Map(entries)
    if (values.has(FIRST) && values.size < entries.length) throw new Error('An object stream is ambiguous')
    return PDFDict.fromMapWithContext(values, this.context)
  }

  /** Does not read the data of a stream, whose length may be wrong. */
  protected override parseDictOrStream(): PDFDict {
    return this.parseDict()
  }

  protected override parseName(): PDFName {
    return this.count(super.parseName())
  }

  protected override parseNumberOrRef(): PDFNumber | PDFRef {
    const value = super.parseNumberOrRef()
    return value instanceof PDFNumber ? value : this.count(value)
  }

  private count<T extends PDFObject>(value: T): T {
    const { values } = this.pool
    if (!values.has(value))
      this.pool.size += COST.value + (value instanceof PDFName ? COST.character * value.asString().length : 0)
    if (this.pool.size > POOL_MAX) throw new RangeError('There are too many names')
    values.add(value)
    return value
  }
}
