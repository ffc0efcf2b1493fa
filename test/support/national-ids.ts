/** A number of 10 digits, of which the last one is the check digit (Luhn algorithm) of the nine that are given */
export function withCheckDigit(nine: string): string {
  const sum = [...nine].reduce((total, digit, at) => total + (at % 2 === 0 ? crossSum(2 * Number(digit)) : +digit), 0)
  return `${nine}${(10 - (sum % 10)) % 10}`
}

/** A plausible national ID that no other account of the tests has */
export function nationalIdOf({ id }: { id: number }): string {
  return withCheckDigit(`1${String(id).padStart(8, '0')}`)
}

function crossSum(number: number): number {
  return [...String(number)].reduce((sum, digit) => sum + Number(digit), 0)
}
