/**
 * The test numbers of development: those of the demo accounts and those of the document's examples, with the code of the
 * examples.
 */
export const EXAMPLE_TEST_NUMBERS: ReadonlyMap<string, string> = new Map(
  ['+966500000001', '+966500000002', '+966500000003', '+966512345678', '+966512345679'].map((phone) => [
    phone,
    '493027',
  ]),
)

/** Parses a number with its code, such as +966500000099=123456. */
export function parseTestNumber(text: string): [phone: string, code: string] {
  const [phone = '', code = ''] = text.split('=')
  return [phone, code]
}
