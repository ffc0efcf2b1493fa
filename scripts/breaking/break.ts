/** A change that can break a client */
export type Break = Readonly<{
  rule: string
  /** The JSON pointer to the change: in the current document, or in the released one if the part was removed */
  location: string
  message: string
  /** Where clients meet the change first, if the location is a component */
  use?: string
}>
