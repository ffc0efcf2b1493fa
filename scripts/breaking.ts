// Compares the document with that of the last release, and fails on changes that can break clients, unless
// openapi/released/accepted.yaml lists them.
import { runGate } from './breaking/gate.ts'

const { report, passes } = await runGate('.', new Date())
console.log(report)
process.exitCode = passes ? 0 : 1
