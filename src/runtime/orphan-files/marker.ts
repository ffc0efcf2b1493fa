import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The marker of a file store: the id of its database, and the number of the last sweep. */
const Marker = Type.Object({
  about: Type.String(),
  database: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  generation: Type.Integer({ minimum: 0 }),
})
export type Marker = Pick<Static<typeof Marker>, 'database' | 'generation'>

const ABOUT = 'Binds these files to the Tawthiq database with this id. Do not edit or delete this object.'

export function serializeMarker({ database, generation }: Marker): string {
  return `${JSON.stringify({ about: ABOUT, database, generation }, null, 2)}\n`
}

/** Parses a marker; undefined if the text is not a marker. */
export function parseMarker(text: string): Marker | undefined {
  try {
    const marker: unknown = JSON.parse(text)
    return Value.Check(Marker, marker) ? marker : undefined
  } catch {
    return undefined
  }
}
