import { TEXT_PATTERNS } from '../../../src/domain/text.ts'
import { isObject } from './openapi.ts'

/** Replaces `x-tawthiq-text` by the pattern that the service accepts texts of this kind by. */
export function writeOutTexts(node: unknown): void {
  if (!isObject(node) && !Array.isArray(node)) return
  if (isObject(node) && 'x-tawthiq-text' in node) {
    const { 'x-tawthiq-text': kind } = node
    delete node['x-tawthiq-text']
    Object.assign(node, { pattern: patternOf(kind), ...(kind !== 'secret' && { 'x-tawthiq-visible': true }) })
  }
  Object.values(node).forEach(writeOutTexts)
}

function patternOf(kind: unknown): string {
  const pattern = Object.entries(TEXT_PATTERNS).find(([name]) => name === kind)?.[1]
  if (pattern === undefined) throw new Error(`x-tawthiq-text has no kind ${String(kind)}`)
  return pattern
}
