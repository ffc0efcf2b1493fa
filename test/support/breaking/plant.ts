// A change of the document that the gate must judge rightly.

export type Schema = {
  type?: unknown
  enum?: unknown[]
  required?: string[]
  properties: Record<string, Schema>
  dependentSchemas: Record<string, { if: { properties: Record<string, Schema> } }>
  [keyword: string]: unknown
}
export type Operation = {
  operationId: string
  description: string
  parameters: object[]
  responses: Record<string, object>
  [member: string]: unknown
}
export type Editable = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, { headers: Record<string, { schema: { enum: string[] } }> }>
    parameters: Record<string, { in: string }>
  }
}

export type Plant = Readonly<{
  title: string
  change(document: Editable): void
  /** The rule and location of each break that must be found; none: the change is compatible */
  breaks: readonly `${string} ${string}`[]
}>

export function at<Member>(members: Record<string, Member>, name: string): Member {
  const member = members[name]
  if (member === undefined) throw new Error(`the document has no ${name}`)
  return member
}

export function string(): Schema {
  return { type: 'string', properties: {}, dependentSchemas: {} }
}
