// Writes the statements that the service sends to the file STATEMENTS, in each process of the tests of a version. The
// connections of the tests themselves have no name.
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { Client } = createRequire(join(process.cwd(), 'package.json'))('pg')
const { query } = Client.prototype
const seen = new Set()

Client.prototype.query = function (config, ...rest) {
  const text = typeof config === 'string' ? config : config?.text
  if (this.connectionParameters.application_name?.includes('tawthiq') && text && !seen.has(text)) {
    seen.add(text)
    appendFileSync(process.env.STATEMENTS, `${JSON.stringify(text)}\n`)
  }
  return query.call(this, config, ...rest)
}
