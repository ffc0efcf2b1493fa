// The values of examples of responses: a required member that an example leaves out has the example of its schema.
import { isObject, resolveSchema, type Document, type Node } from './openapi.ts'

/**
 * Adds the required members that a value lacks, in the order of the schema. A variant of a union is chosen by the members
 * that the value has, such as `account_type`.
 *
 * @throws Error if a member has no example
 */
export function completeExample(document: Document, given: unknown, value: unknown): unknown {
  const schema = resolveSchema(document, given as Node)
  if (!isObject(value) || Array.isArray(value)) return value
  const variants: unknown = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(variants)) {
    const variant: unknown = variants.find((each) => accepts(resolveSchema(document, each as Node), value))
    return variant === undefined ? value : completeExample(document, variant, value)
  }
  const { properties, required = [] } = schema
  if (!isObject(properties)) return value
  const members = Object.entries(properties).flatMap(([name, property]) => {
    if (name in value) return [[name, completeExample(document, property, value[name])] as const]
    return (required as string[]).includes(name) ? [[name, exampleOf(document, name, property)] as const] : []
  })
  return { ...Object.fromEntries(members), ...withoutKeys(value, properties) }
}

/** Returns whether the enumerations of a schema contain the members of a value. */
function accepts({ properties }: Node, value: Node): boolean {
  if (!isObject(properties)) return false
  return Object.entries(value).every(([name, member]) => {
    const { enum: values } = (properties[name] ?? { enum: [] }) as { enum?: unknown[] }
    return values === undefined || values.includes(member)
  })
}

function exampleOf(document: Document, name: string, property: unknown): unknown {
  const { examples } = resolveSchema(document, property as Node)
  if (!Array.isArray(examples)) throw new Error(`${name} needs \`examples\` in its schema, or a value in each example`)
  return examples[0]
}

function withoutKeys(value: Node, known: Node): Node {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(name in known)))
}
