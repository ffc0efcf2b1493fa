import sharp, { type Sharp } from 'sharp'

const ROTATED = { orientation: 6 }

/** Creates images at the limits: noise of nearly 5 MB, and plain colours where noise would be larger. */
export async function benchImages(): Promise<Record<string, Uint8Array>> {
  const phone = (): Sharp => createNoise(4032, 3024)
  const large = (): Sharp => createNoise(5000, 5000)
  const deep = (width: number, height: number): Sharp => createPlain(width, height).toColourspace('rgb16')
  return {
    'JPEG, 6 megapixels': await createNoise(2400, 2350).jpeg({ quality: 97 }).toBuffer(),
    'JPEG, 25': await large().jpeg({ quality: 55 }).toBuffer(),
    'JPEG, 25, on its side': await large().jpeg({ quality: 55 }).withMetadata(ROTATED).toBuffer(),
    'progressive JPEG, 12': await phone().jpeg({ quality: 80, progressive: true }).toBuffer(),
    'the same, on its side': await phone().jpeg({ quality: 80, progressive: true }).withMetadata(ROTATED).toBuffer(),
    'progressive JPEG, 25': await large().jpeg({ quality: 55, progressive: true }).toBuffer(),
    'PNG, 1.7': await createNoise(1320, 1320).png().toBuffer(),
    'PNG of 16 bits, 25': await deep(5000, 5000).png().toBuffer(),
    'PNG of 16 bits, 9, on its side': await deep(3000, 3000).png().withMetadata(ROTATED).toBuffer(),
    'interlaced PNG of 16 bits, 9': await deep(3000, 3000).png({ progressive: true }).toBuffer(),
    'interlaced PNG, 18': await createPlain(4300, 4300).png({ progressive: true }).toBuffer(),
    'WebP, 10': await createNoise(3700, 2800).webp({ quality: 75 }).toBuffer(),
    'WebP, 6, on its side': await createNoise(2600, 2600).webp({ quality: 85 }).withMetadata(ROTATED).toBuffer(),
    'WebP with alpha, 10': await createNoise(3700, 2800).ensureAlpha(0.5).webp({ quality: 75 }).toBuffer(),
    'lossless WebP, 10': await createPlain(3700, 2800).webp({ lossless: true, effort: 0 }).toBuffer(),
  }
}

/** Creates a photo of about 1 MB. */
export function benchPhoto(): Promise<Buffer> {
  return createNoise(1600, 1200).jpeg({ quality: 85 }).toBuffer()
}

/** Returns a photo whose decoding costs little. */
export function smallPhoto(): Promise<Buffer> {
  return createPlain(800, 600).jpeg().toBuffer()
}

function createNoise(width: number, height: number): Sharp {
  const colours = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: 'red', noise: colours } })
}

function createPlain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })
}
