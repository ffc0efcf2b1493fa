// The extensions of OpenAPI that are this project's own. docs/extensions.md lists the published ones.
import { isObject } from './openapi.ts'

const PREFIX = 'x-tawthiq-'

/** Extensions that other tools define and read */
const OF_OTHER_TOOLS: ReadonlySet<string> = new Set([
  'x-codeSamples',
  'x-enumDescriptions',
  'x-internal',
  'x-tagGroups',
])

export type Extension = {
  /** The objects of the document that can have it */
  on: 'document' | 'operation' | 'response' | 'schema'
  /** Whether the published document has it. The generator expands or evaluates all others. */
  isPublished: boolean
  meaning: string
}

export const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'x-tawthiq-of-every-response': {
    on: 'document',
    isPublished: false,
    meaning: 'The names of the headers that the generator adds to every response.',
  },
  'x-tawthiq-of-every-operation': {
    on: 'document',
    isPublished: false,
    meaning: 'The names of the parameters that the generator adds to every operation.',
  },
  'x-tawthiq-of-every-webhook': {
    on: 'document',
    isPublished: false,
    meaning: 'The tag, security, parameters and responses that the generator adds to every webhook.',
  },
  'x-tawthiq-of-any-path': {
    on: 'document',
    isPublished: true,
    meaning: 'The responses that the server can send for any path, by status.',
  },
  'x-tawthiq-rate-limits': {
    on: 'document',
    isPublished: true,
    meaning: 'The numbers of the rate limits by name, for comparisons of releases. The generator adds them.',
  },
  'x-tawthiq-message': {
    on: 'response',
    isPublished: false,
    meaning: 'The key of the message of a success. The generator adds the envelope with this message.',
  },
  'x-tawthiq-stream': {
    on: 'response',
    isPublished: false,
    meaning: 'The content of a success consists of bytes, without an envelope.',
  },
  'x-tawthiq-top-level': {
    on: 'response',
    isPublished: false,
    meaning: 'The names of members of `data` that the envelope repeats beside it.',
  },
  'x-tawthiq-error-codes': {
    on: 'response',
    isPublished: false,
    meaning: 'The codes of an error response. The generator adds its headers, its schema and its examples.',
  },
  'x-tawthiq-field-codes': {
    on: 'response',
    isPublished: false,
    meaning: 'The field codes in the examples of a `422`, by case and field, with the values of the message.',
  },
  'x-tawthiq-cache-control': {
    on: 'operation',
    isPublished: false,
    meaning: '`Cache-Control` of a success, which is `no-store` without it. The generator adds `ETag` and `304`.',
  },
  'x-tawthiq-defer-validation': {
    on: 'operation',
    isPublished: false,
    meaning: 'The operation gets the valid part of an invalid body, to report its own field errors too.',
  },
  'x-tawthiq-patches': {
    on: 'operation',
    isPublished: true,
    meaning:
      'The body is a merge patch of the form of this operation. The server applies it to the stored form, and validates the result.',
  },
  'x-tawthiq-signed': {
    on: 'operation',
    isPublished: false,
    meaning: 'The operation gets the bytes, the headers and the URL of the request, to verify a signature over them.',
  },
  'x-tawthiq-requires-administrator': {
    on: 'operation',
    isPublished: true,
    meaning: 'Accounts without administrator privileges get `403 admin_required`, whatever the rest of the request.',
  },
  'x-tawthiq-requires-recent-authentication': {
    on: 'operation',
    isPublished: true,
    meaning:
      'The password must have been proven on the session within `seconds`. With `when`, this applies only if one of these fields changes, or for `second_factor`, if the account has one. The generator adds `403 reauthentication_required`.',
  },
  'x-tawthiq-deprecated-since': {
    on: 'operation',
    isPublished: true,
    meaning:
      'The date since which the operation is deprecated, beside `deprecated: true`. The server sends it as `Deprecation`.',
  },
  'x-tawthiq-sunset': {
    on: 'operation',
    isPublished: true,
    meaning: 'The date after which the deprecated operation can be removed. The server sends it as `Sunset`.',
  },
  'x-tawthiq-inline': {
    on: 'schema',
    isPublished: false,
    meaning: 'The generator copies the schema to where it is referenced, with the keywords beside the reference.',
  },
  'x-tawthiq-extends': {
    on: 'schema',
    isPublished: false,
    meaning: 'The names of schemas whose properties the generator puts before those of this schema.',
  },
  'x-tawthiq-limits': {
    on: 'schema',
    isPublished: false,
    meaning: 'Keywords whose values are numbers of `openapi/limits.yaml`, with their paths. The generator adds them.',
  },
  'x-tawthiq-ignores': {
    on: 'schema',
    isPublished: false,
    meaning: 'The names of unions. The generator replaces it by their fields, as `x-tawthiq-ignored-fields`.',
  },
  'x-tawthiq-ignored-fields': {
    on: 'schema',
    isPublished: true,
    meaning:
      'Fields that the server removes before it validates a body whose variant does not have them. On unions. `propertyNames` of the variants accepts them.',
  },
  'x-tawthiq-patch-of': {
    on: 'schema',
    isPublished: false,
    meaning:
      'The name of a form. The generator adds its fields to the schema, all optional, and nullable if they can be cleared.',
  },
  'x-tawthiq-clearable': {
    on: 'schema',
    isPublished: true,
    meaning: 'An empty text in a form clears the field. Without it, an empty text leaves the field unchanged.',
  },
  'x-tawthiq-megabytes-max': {
    on: 'schema',
    isPublished: true,
    meaning: 'The maximum size of a file.',
  },
  'x-tawthiq-text': {
    on: 'schema',
    isPublished: false,
    meaning:
      'The kind of a text of users: `line`, `optional_line`, `lines` or `secret`. The generator adds the `pattern` from `src/domain/text.ts`, and `x-tawthiq-visible` except to a secret.',
  },
  'x-tawthiq-visible': {
    on: 'schema',
    isPublished: true,
    meaning:
      'A non-empty text must contain a visible character: a letter, digit, punctuation mark or symbol. The `pattern` rejects the frequent other characters.',
  },
  'x-tawthiq-field-code': {
    on: 'schema',
    isPublished: true,
    meaning: 'The field code of a value that does not match the schema, in place of that of the keyword.',
  },
  'x-tawthiq-statuses': {
    on: 'schema',
    isPublished: true,
    meaning: 'The HTTP status of each error code. On `ErrorCode`.',
  },
}

/** Throws if a node has an extension that neither the table lists nor another tool defines. */
export function refuseUnknownExtensions(node: unknown): void {
  if (!isObject(node)) return
  for (const [key, member] of Object.entries(node)) {
    if (key.startsWith('x-') && !(key in EXTENSIONS) && !OF_OTHER_TOOLS.has(key))
      throw new Error(`scripts/generate/document/extensions.ts does not list the extension ${key}`)
    const isExample = key === 'value' || (key === 'examples' && Array.isArray(member))
    if (key === 'properties' && isObject(member)) Object.values(member).forEach(refuseUnknownExtensions)
    else if (!key.startsWith('x-') && !isExample) refuseUnknownExtensions(member)
  }
}

/** Returns a copy without the extensions that are not published. */
export function withoutSourceExtensions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSourceExtensions)
  if (!isObject(node)) return node
  const isIncluded = ([key]: [string, unknown]): boolean =>
    !key.startsWith(PREFIX) || EXTENSIONS[key]?.isPublished !== false
  const members = Object.entries(node).filter(isIncluded)
  return Object.fromEntries(members.map(([key, member]) => [key, withoutSourceExtensions(member)]))
}
