/** The characters of the GSM 7-bit alphabet, and those of its extension, which take two places (3GPP TS 23.038, 6.2.1) */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€'

/** Returns how many SMS a text takes. A longer one is split into parts, each of which has a header. */
export function countSegments(text: string): number {
  const isGsm = [...text].every((each) => BASIC.includes(each) || EXTENDED.includes(each))
  const length = isGsm ? text.length + [...text].filter((each) => EXTENDED.includes(each)).length : text.length
  const [single, part] = isGsm ? [160, 153] : [70, 67]
  return length <= single ? 1 : Math.ceil(length / part)
}
