// The extensions of OpenAPI that are this project's own. docs/extensions.md lists the published ones.
import { isObject, withoutMembers } from './openapi.ts'

/** The meanings of extensions, by the objects of the document that can have them */
type Extensions = Readonly<Record<string, Readonly<Record<string, string>>>>

export const PUBLISHED: Extensions = {
  document: {
    'x-tawthiq-of-any-path': 'The responses that the server can send for any path, by status.',
    'x-tawthiq-rate-limits':
      'The numbers of the rate limits by name, for comparisons of releases. The generator adds them.',
  },
  operation: {
    'x-tawthiq-patches':
      'The body is a merge patch of the form of this operation. The server applies it to the stored form, and validates the result.',
    'x-tawthiq-requires-administrator':
      'Accounts without administrator privileges get `403 admin_required`, whatever the rest of the request.',
    'x-tawthiq-requires-recent-authentication':
      'The password must have been proven on the session within `seconds`. With `when`, this applies only if one of these fields changes, or for `second_factor`, if the account has one. The generator adds `403 reauthentication_required`.',
    'x-tawthiq-deprecated-since':
      'The date since which the operation is deprecated, beside `deprecated: true`. The server sends it as `Deprecation`.',
    'x-tawthiq-sunset':
      'The date after which the deprecated operation can be removed. The server sends it as `Sunset`.',
  },
  schema: {
    'x-personal-data':
      'The `category` and the `purpose` of the personal data that a property holds. The generator adds it, from `openapi/personal-data.yaml`.',
    'x-tawthiq-ignored-fields':
      'Fields that the server removes before it validates a body whose variant does not have them. On unions. `propertyNames` of the variants accepts them.',
    'x-tawthiq-clearable':
      'An empty text in a form clears the field. Without it, an empty text leaves the field unchanged. The type of a number that can be cleared includes `null`.',
    'x-tawthiq-megabytes-max': 'The maximum size of a file.',
    'x-tawthiq-visible':
      'A non-empty text must contain a visible character: a letter, digit, punctuation mark or symbol. The `pattern` rejects the frequent other characters.',
    'x-tawthiq-input':
      'The server cleans the text before it validates it: `text` is trimmed, and `plain`, `identifier`, `code`, `phone` and `email` lose invisible characters anywhere, and what separates groups of digits. `src/domain/inputs.ts` defines the kinds. Texts without the extension are used as they are.',
    'x-tawthiq-field-code':
      'The field code of a value that does not match the schema, in place of that of the keyword.',
    'x-tawthiq-statuses': 'The HTTP status of each error code. On `ErrorCode`.',
  },
}

/** Extensions that the generator expands or evaluates. The published document has none of them. */
export const SOURCE_ONLY: Extensions = {
  document: {
    'x-tawthiq-common-headers': 'The names of the headers that the generator adds to every response.',
    'x-tawthiq-of-every-operation': 'The names of the parameters that the generator adds to every operation.',
    'x-tawthiq-of-every-webhook':
      'The tag, security, parameters and responses that the generator adds to every webhook.',
  },
  response: {
    'x-tawthiq-message':
      'The message of a success: its `name`, and its texts in `en` and `ar`, or the name of that of another success. The generator adds the envelope with this message.',
    'x-tawthiq-stream': 'The content of a success consists of bytes, without an envelope.',
    'x-tawthiq-top-level': 'The names of members of `data` that the envelope repeats beside it.',
    'x-tawthiq-error-codes':
      'The codes of an error response. The generator adds its headers, its schema and its examples.',
    'x-tawthiq-field-codes':
      'The field codes in the examples of a `422`, by case and field, with the values of the message.',
  },
  operation: {
    'x-tawthiq-cache-control':
      '`Cache-Control` of a success, which is `no-store` without it. The generator adds `ETag` and `304`.',
    'x-tawthiq-defer-validation':
      'The operation gets the valid part of an invalid body, to report its own field errors too.',
    'x-tawthiq-signed':
      'The operation gets the bytes, the headers and the URL of the request, to verify a signature over them.',
  },
  schema: {
    'x-tawthiq-inline':
      'The generator copies the schema to where it is referenced, with the keywords beside the reference.',
    'x-tawthiq-extends': 'The names of schemas whose properties the generator puts before those of this schema.',
    'x-tawthiq-limits':
      'Keywords whose values are numbers of `openapi/limits.yaml`, with their paths. The generator adds them.',
    'x-tawthiq-ignores':
      'The names of unions. The generator replaces it by their fields, as `x-tawthiq-ignored-fields`.',
    'x-tawthiq-patch-of':
      'The name of a form. The generator adds its fields to the schema, all optional, and nullable if they can be cleared.',
    'x-tawthiq-text':
      'The kind of a text of users, such as `line`, `phone` or `secret`. The generator adds the `pattern` and `x-tawthiq-input` of `scripts/generate/document/text-patterns.ts`, and `x-tawthiq-visible` to texts that must be visible.',
  },
}

const OF_OTHER_TOOLS = ['x-codeSamples', 'x-enumDescriptions', 'x-internal', 'x-tagGroups']

const SOURCE_NAMES: ReadonlySet<string> = new Set(Object.values(SOURCE_ONLY).flatMap(Object.keys))
const NAMES: ReadonlySet<string> = new Set([
  ...Object.values(PUBLISHED).flatMap(Object.keys),
  ...SOURCE_NAMES,
  ...OF_OTHER_TOOLS,
])

export function refuseUnknownExtensions(node: unknown): void {
  if (!isObject(node)) return
  for (const [key, member] of Object.entries(node)) {
    if (key.startsWith('x-') && !NAMES.has(key))
      throw new Error(`scripts/generate/document/extensions.ts does not list the extension ${key}`)
    const isExample = key === 'value' || (key === 'examples' && Array.isArray(member))
    if (key === 'properties' && isObject(member)) Object.values(member).forEach(refuseUnknownExtensions)
    else if (!key.startsWith('x-') && !isExample) refuseUnknownExtensions(member)
  }
}

export function withoutSourceExtensions(node: unknown): unknown {
  return withoutMembers(node, (key) => SOURCE_NAMES.has(key))
}
