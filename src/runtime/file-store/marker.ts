import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Uuid = Type.String({ pattern: '^[0-9a-f-]{36}$' })

/**
 * The marker of a file store. Version 0.2.0 writes only the first three members, and ignores the others. The epoch
 * changes with each renewal, and only the database that renewed it knows the present one.
 */
const Marker = Type.Object({
  about: Type.String(),
  database: Uuid,
  generation: Type.Integer({ minimum: 0 }),
  epoch: Type.Optional(Uuid),
  /** Who renewed it, for messages */
  holder: Type.Optional(
    Type.Object({
      name: Type.String(),
      fingerprint: Type.Union([Type.String(), Type.Null()]),
      renewed_at: Type.String(),
    }),
  ),
})
export type Marker = Omit<Static<typeof Marker>, 'about'>

const ABOUT = 'Binds these files to the Tawthiq database with this id. Do not edit or delete this object.'

export function serializeMarker(marker: Marker): string {
  return `${JSON.stringify({ about: ABOUT, ...marker }, null, 2)}\n`
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
