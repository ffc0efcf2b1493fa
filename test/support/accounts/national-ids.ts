/** Appends the check digit (Luhn algorithm) to nine digits. */
export function withCheckDigit(nine: string): string {
  const sum = [...nine].reduce((total, digit, at) => total + (at % 2 === 0 ? crossSum(2 * Number(digit)) : +digit), 0)
  return `${nine}${(10 - (sum % 10)) % 10}`
}

/** Returns a plausible national ID that is unique to an account. */
export function nationalIdOf({ id }: { id: number }): string {
  return withCheckDigit(`1${String(id).padStart(8, '0')}`)
}

function crossSum(number: number): number {
  return [...String(number)].reduce((sum, digit) => sum + Number(digit), 0)
}
