import { dropSigned } from '../document/for-clients.ts'
import { describeBodies } from './bodies.ts'
import { openCodes } from './codes.ts'
import { simplifyEnums } from './enums.ts'
import { singleExamples } from './examples.ts'
import { introduce } from './introduction.ts'
import { dropKeywords } from './keywords.ts'
import { useNullable } from './nullable.ts'
import { dropReferenceSiblings } from './references.ts'
import type { Document } from './types.ts'
import { mergeUnions } from './unions.ts'
import { dropUnused } from './unused.ts'

/** The order matters: later transformations rely on what earlier ones removed. */
const TRANSFORMATIONS: readonly ((document: Document) => Document)[] = [
  dropSigned,
  openCodes,
  dropKeywords,
  useNullable,
  mergeUnions,
  singleExamples,
  simplifyEnums,
  describeBodies,
  dropReferenceSiblings,
  dropUnused,
  introduce,
]

/**
 * Derives an OpenAPI 3.0.3 document from the published 3.1 document, for generators and tools that cannot read 3.1. It
 * describes the same operations of clients and the same fields, in the constructs that these tools support.
 */
export function deriveOpenapi30(document: object): object {
  return TRANSFORMATIONS.reduce((derived, transform) => transform(derived), structuredClone(document) as Document)
}
