import sharp from 'sharp'

const WIDTH_MIN = 200
const WIDTHS = 3000
const HEIGHT = 60

let photos = 0

/** Returns a photo whose width identifies it, also after it has been converted. */
export async function newPhoto(): Promise<{ photo: Blob; width: number }> {
  const width = WIDTH_MIN + (++photos % WIDTHS)
  const image = sharp({ create: { width, height: HEIGHT, channels: 3, background: 'teal' } })
  return { photo: toBlob(await image.jpeg().toBuffer()), width }
}

/** Creates a photo of about 1 MB. */
export async function largePhoto(): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const image = sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'red', noise } })
  return toBlob(await image.jpeg({ quality: 85 }).toBuffer())
}

function toBlob(bytes: Buffer): Blob {
  return new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })
}
