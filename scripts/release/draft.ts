// A draft of the changelog, from the differences between two documents. People rewrite it.
import type { Change } from '../breaking/diff.ts'
import { asNode, isNode, unescapeName, type Node } from '../breaking/json.ts'
import { METHODS } from '../breaking/operations.ts'

/** Returns the lines of a draft: added and removed operations and fields, and what breaks clients. */
export function draftChangelog(changes: readonly Change[]): string {
  const sections = [
    ['Added', changes.filter(({ kind }) => kind === 'added').flatMap((change) => namesIn(change, change.revision))],
    ['Changed', changes.flatMap(({ kind, verdicts }) => (kind === 'modified' ? verdicts.map(breaking) : []))],
    ['Removed', changes.filter(({ kind }) => kind === 'removed').flatMap((change) => namesIn(change, change.base))],
  ] as const
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [`### ${title}`, '', ...new Set(lines)].join('\n'))
    .join('\n\n')
}

function breaking({ impact, message }: Change['verdicts'][number]): string {
  return `- ${impact === 'major' ? '**Breaking:** ' : ''}${message}`
}

function namesIn({ typeName }: Change, place: Change['base']): string[] {
  const names = (place?.pointer ?? '').split('/').map(unescapeName)
  const value = asNode(place?.value)
  if (typeName === 'Operation') return [describe(names[2] ?? '', names[3] ?? '', value)]
  if (typeName === 'PathItem')
    return operationsIn(value).map(([method, operation]) => describe(names[2] ?? '', method, operation))
  const [field = '', keyword, schema = ''] = names.reverse()
  return typeName === 'Schema' && keyword === 'properties' ? [`- \`${field}\` in \`${schema}\`.`] : []
}

function operationsIn(item: Node): [string, Node][] {
  return METHODS.flatMap((method) => (isNode(item[method]) ? [[method, item[method]]] : []))
}

function describe(path: string, method: string, { operationId, summary }: Node): string {
  return `- \`${String(operationId)}\` (\`${method.toUpperCase()} ${path}\`): ${String(summary).toLowerCase()}.`
}
