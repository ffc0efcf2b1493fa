// An encoder of CBOR (RFC 8949), also of what a conforming encoder would not write.

/** Returns the head of an item: its major type, and its value or length. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(value)])
}

/** Returns the head of an item with eight bytes for its value or length, however small it is. */
export function longHead(major: number, value: bigint): Buffer {
  const buffer = Buffer.alloc(9)
  buffer.writeUInt8((major << 5) | 27)
  buffer.writeBigUInt64BE(value, 1)
  return buffer
}

export function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}

export const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
export const bytes = (content: Buffer): Buffer => Buffer.concat([head(2, content.length), content])
export const text = (content: string): Buffer => Buffer.concat([head(3, content.length), Buffer.from(content)])
export const array = (...items: Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items])
export const map = (...entries: Buffer[]): Buffer => Buffer.concat([head(5, entries.length / 2), ...entries])
export const NULL = Buffer.from([0xf6])

/** Returns a value inside arrays of one item. */
export const nested = (depth: number): Buffer => Buffer.concat([Buffer.alloc(depth, 0x81), int(0)])
