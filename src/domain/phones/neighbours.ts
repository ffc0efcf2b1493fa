/**
 * Returns the first numbers of two ranges of consecutive numbers that contain a phone number. Ranges of the second kind begin in
 * the middle of those of the first, so any two numbers that are at most `distance` apart share a range, even if a border of the
 * other kind is between them.
 *
 * @param e164 a number in E.164, whose at most 15 digits are an exact integer
 * @param distance half the size of a range
 */
export function rangesAround(e164: string, distance: number): readonly [string, string] {
  const number = Number(e164.slice(1))
  const start = number - (number % (2 * distance))
  const shifted = number - start < distance ? start - distance : start + distance
  return [String(start), String(shifted)]
}
