// Codes by SMS that undo changes: their form, and their hashes.
import t from 'tap'
import { undoCodes } from '../../src/adapters/tokens/undo-codes.ts'

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const [PHONE, OTHER] = ['+966512345678', '+966512345679']

void t.test('a code has 50 random bits', (t) => {
  const { newCode } = undoCodes([OLD])
  const codes = Array.from({ length: 100 }, newCode)
  t.equal(new Set(codes).size, 100)
  for (const code of codes) t.match(code, /^[A-Z2-7]{10}$/)
  t.end()
})

void t.test('a code that was sent before its key was replaced is found, and only with a key and its number', (t) => {
  const code = undoCodes([OLD]).newCode()
  const stored = undoCodes([OLD]).hash(PHONE, code)
  const isFound = (hashes: readonly Uint8Array[]): boolean => hashes.some((hash) => Buffer.from(hash).equals(stored))
  t.ok(isFound(undoCodes([OLD]).hashes(PHONE, code)))
  t.ok(isFound(undoCodes([NEW, OLD]).hashes(PHONE, code)))
  t.notOk(isFound(undoCodes([NEW]).hashes(PHONE, code)))
  t.notOk(isFound(undoCodes([OLD]).hashes(OTHER, code)))
  t.end()
})
