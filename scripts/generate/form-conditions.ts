import { isObject, type Node } from './document/openapi.ts'

/** Returns the `dependentSchemas` of a form as conditions that stand side by side, because JSON Forms ignores that keyword. */
export function listConditions({ dependentSchemas = {} }: Node): Node[] {
  return Object.entries(dependentSchemas as Record<string, Node>).flatMap(([field, rule]) => conditionsOf(field, rule))
}

/** A condition within another one is published alone, if it implies the outer one. */
function conditionsOf(field: string, rule: Node, outer?: readonly unknown[]): Node[] {
  if (Array.isArray(rule['allOf'])) return (rule['allOf'] as Node[]).flatMap((each) => conditionsOf(field, each))
  const test = rule['if'] as { properties: Record<string, Node> }
  const then = rule['then'] as Node
  const values = test.properties[field]?.['enum'] as unknown[] | undefined
  if (outer && !values?.every((value) => outer.includes(value)))
    throw new Error(`a condition of ${field} does not imply the one around it`)
  const { required = [], properties = {} } = then
  const condition = {
    if: { required: Object.keys(test.properties), properties: test.properties },
    then: { required, properties: withoutEmpty(properties as Record<string, Node>) },
  }
  return [condition, ...(then['if'] ? conditionsOf(field, then, values ?? []) : [])]
}

/** Drops empty rules, and the extensions of the others, except for the field code. */
function withoutEmpty(properties: Record<string, Node>): Node {
  const rules = Object.entries(properties).map(([name, rule]) => [name, published(rule)] as const)
  return Object.fromEntries(rules.filter(([, rule]) => Object.keys(rule).length > 0))
}

function published(rule: Node): Node {
  if (!isObject(rule)) return rule
  const code = rule['x-tawthiq-field-code']
  const keywords = Object.entries(rule).filter(([name]) => !name.startsWith('x-'))
  return { ...Object.fromEntries(keywords), ...(code !== undefined && { 'x-code': code }) }
}
