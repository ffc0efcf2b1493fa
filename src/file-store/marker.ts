import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** What the marker of a file store says: the database that it belongs to, and the last sweep of both. */
const Marker = Type.Object({
  about: Type.String(),
  database: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  generation: Type.Integer({ minimum: 0 }),
})
export type Marker = Pick<Static<typeof Marker>, 'database' | 'generation'>

const ABOUT = 'Binds these files to the database of Tawthiq that has this id. Do not edit or delete this object.'

export function markerText({ database, generation }: Marker): string {
  return `${JSON.stringify({ about: ABOUT, database, generation }, null, 2)}\n`
}

/** @returns undefined when the text is not that of a marker */
export function parseMarker(text: string): Marker | undefined {
  try {
    const marker: unknown = JSON.parse(text)
    return Value.Check(Marker, marker) ? marker : undefined
  } catch {
    return undefined
  }
}
