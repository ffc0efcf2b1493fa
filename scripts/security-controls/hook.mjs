// Loads the compiled file REPLACEMENT in place of the module REMOVED, in every process and thread of a test.
import { register } from 'node:module'

const { REMOVED, REPLACEMENT } = process.env
const loader = `
import { readFileSync } from 'node:fs'
export const load = async (url, context, next) => url === ${JSON.stringify(REMOVED)}
  ? { format: 'module', shortCircuit: true, source: readFileSync(${JSON.stringify(REPLACEMENT)}) }
  : next(url, context)`
register(`data:text/javascript,${encodeURIComponent(loader)}`)
