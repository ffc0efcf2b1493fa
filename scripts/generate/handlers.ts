import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { listOperations, type Document } from './document/openapi.ts'

const DIRECTORY = 'src/operations'

/** Returns a module with the handlers of all operations. It does not compile while one has no file. */
export function renderHandlers(document: Document): string {
  const paths = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' }).sort()
  const ids = listOperations(document).map(({ operationId }) => operationId)
  const found = paths.flatMap((path) => {
    const id = /(\w+)\.ts$/.exec(path)?.[1] ?? ''
    return ids.includes(id) ? [{ id, path }] : []
  })
  for (const id of ids.filter((each) => !found.some((file) => file.id === each)))
    console.error(`${DIRECTORY} has no ${id}.ts, whose export ${id} implements the operation.`)
  return [
    `import type { Operations } from '../src/contract/operation.ts'`,
    ...found.map(({ id, path }) => `import { ${id} } from '../${DIRECTORY}/${dirname(path)}/${id}.ts'`),
    `\nexport const operations: Operations = { ${found.map(({ id }) => id).join(', ')} }\n`,
  ].join('\n')
}
