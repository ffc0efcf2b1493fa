import sharp, { type Sharp } from 'sharp'

const ON_ITS_SIDE = { orientation: 6 }

/** Images at the limits of what is taken: noise of nearly 5 MB, and one colour where noise would be more than that. */
export async function benchImages(): Promise<Record<string, Uint8Array>> {
  const phone = (): Sharp => noise(4032, 3024)
  const large = (): Sharp => noise(5000, 5000)
  const deep = (width: number, height: number): Sharp => plain(width, height).toColourspace('rgb16')
  return {
    'JPEG, 6 megapixels': await noise(2400, 2350).jpeg({ quality: 97 }).toBuffer(),
    'JPEG, 25': await large().jpeg({ quality: 55 }).toBuffer(),
    'JPEG, 25, on its side': await large().jpeg({ quality: 55 }).withMetadata(ON_ITS_SIDE).toBuffer(),
    'progressive JPEG, 12': await phone().jpeg({ quality: 80, progressive: true }).toBuffer(),
    'the same, on its side': await phone()
      .jpeg({ quality: 80, progressive: true })
      .withMetadata(ON_ITS_SIDE)
      .toBuffer(),
    'progressive JPEG, 25': await large().jpeg({ quality: 55, progressive: true }).toBuffer(),
    'PNG, 1.7': await noise(1320, 1320).png().toBuffer(),
    'PNG of 16 bits, 25': await deep(5000, 5000).png().toBuffer(),
    'PNG of 16 bits, 9, on its side': await deep(3000, 3000).png().withMetadata(ON_ITS_SIDE).toBuffer(),
    'interlaced PNG of 16 bits, 9': await deep(3000, 3000).png({ progressive: true }).toBuffer(),
    'interlaced PNG, 18': await plain(4300, 4300).png({ progressive: true }).toBuffer(),
    'WebP, 10': await noise(3700, 2800).webp({ quality: 75 }).toBuffer(),
    'WebP, 6, on its side': await noise(2600, 2600).webp({ quality: 85 }).withMetadata(ON_ITS_SIDE).toBuffer(),
    'WebP with alpha, 10': await noise(3700, 2800).ensureAlpha(0.5).webp({ quality: 75 }).toBuffer(),
    'lossless WebP, 10': await plain(3700, 2800).webp({ lossless: true, effort: 0 }).toBuffer(),
  }
}

function noise(width: number, height: number): Sharp {
  const colours = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: 'red', noise: colours } })
}

function plain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })
}
