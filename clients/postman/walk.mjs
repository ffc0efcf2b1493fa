// Converts the document as the import of Postman does, and runs the requests that need no more than a login. Prints the names of those
// that succeed on the last line.
import { readFileSync } from 'node:fs'
import newman from 'newman'
import converter from 'openapi-to-postmanv2'

/** Options of the import. Optional parameters have no values of their own there. */
const OPTIONS = { requestParametersResolution: 'Example', enableOptionalParameters: false }
const [, , path, origin] = process.argv
const document = { type: 'string', data: readFileSync(path, 'utf8') }
const { result, reason, output } = await new Promise((resolve, reject) =>
  converter.convertV2(document, OPTIONS, (error, converted) => (error ? reject(error) : resolve(converted))),
)
if (!result) throw new Error(reason)
const [{ data: collection }] = output

const json = { email: 'admin@demo.test', password: 'Tawthiq-demo-1' }
const headers = { 'content-type': 'application/json' }
const login = await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(json) })
const { token } = (await login.json()).data.account

const needsLogin = ({ method, url }) => method === 'GET' && !url.path.some((part) => part.startsWith(':'))
const keep = (items) =>
  items.flatMap((item) =>
    item.item ? [{ ...item, item: keep(item.item) }] : item.request && needsLogin(item.request) ? [item] : [],
  )
const values = { baseUrl: origin, bearerToken: token }
const { run } = await new Promise((resolve, reject) =>
  newman.run(
    {
      collection: { ...collection, item: keep(collection.item) },
      envVar: Object.entries(values).map(([key, value]) => ({ key, value })),
    },
    (error, summary) => (error ? reject(error) : resolve(summary)),
  ),
)
const works = []
for (const { item, response, requestError } of run.executions) {
  if (response !== undefined && response.code < 400) works.push(item.name)
  else console.log(`${item.name}: ${requestError?.message ?? `${response.code} ${response.stream}`}`)
}
console.log(`Works: ${JSON.stringify(works)}`)
