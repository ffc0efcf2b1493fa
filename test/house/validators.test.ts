// The service loads validators that the build has compiled, and compiles only schemas that the build does not know.
import type { AnySchema } from 'ajv/dist/2020.js'
import { existsSync } from 'node:fs'
import t from 'tap'
import { bindings } from '../../generated/operations.ts'
import { builtFile, loadBuilt } from '../../src/contract/validation/lazy.ts'
import { forRequests, forResponses } from '../../src/contract/validation/schemas.ts'
import { readRoutes } from '../../src/http/document-routes.ts'

type Content = { content?: Record<string, { schema?: AnySchema }> }
type RouteSchema = { body?: Content; response?: Record<string, Content> }

function schemasIn({ content = {} }: Content): AnySchema[] {
  return Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema]))
}

for (const [id, route] of readRoutes()) {
  void t.test(`the build compiles the schemas of ${id}`, (t) => {
    const { body = {}, response = {} } = route.schema as RouteSchema
    for (const schema of Object.values(response).flatMap(schemasIn))
      t.ok(existsSync(builtFile('response', forResponses(schema))))
    // the body of a patch must only be an object, and its result is validated
    const bodies = bindings[id].patches === null ? schemasIn(body) : [{ type: 'object' }]
    for (const schema of bodies) t.ok(existsSync(builtFile('request', forRequests(schema))))
    t.end()
  })
}

void t.test('compiles schemas that the build does not know', (t) => {
  t.equal(loadBuilt('request', { type: 'string', const: 'unknown to the build' }), undefined)
  t.end()
})
