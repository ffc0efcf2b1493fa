import type { Path } from './contract.ts'
import type { Called } from './facade.ts'
import type { CallOperation } from './operation.ts'
import type { CallOptions } from './options.ts'

export type Files = {
  /** Downloads a file of a profile, by its link. */
  get(link: string, options?: CallOptions): Called<'getFile'>
  /** Returns the absolute URL of a signed link, for `<img src>`. Identity documents need `get`, which sends the token. */
  url(link: string): string
  /** Deletes an optional file of the profile. */
  delete(kind: Path<'deleteProfileFile'>['kind'], options?: CallOptions): Called<'deleteProfileFile'>
}

export function filesOf(operation: CallOperation, origin: string): Files {
  return {
    get(link, options) {
      const [address = '', search = ''] = link.split('?')
      const path = { file_id: address.split('/').at(-1) ?? '' }
      const pairs = search
        .split('&')
        .filter(Boolean)
        .map((pair) => pair.split('=').map(decodeURIComponent))
      return operation('getFile', undefined, { ...options, path, query: Object.fromEntries(pairs) })
    },
    url: (link) => new URL(link, origin).href,
    delete: (kind, options) => operation('deleteProfileFile', undefined, { ...options, path: { kind } }),
  }
}
