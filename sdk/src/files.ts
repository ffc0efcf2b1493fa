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
      const query: Record<string, string> = {}
      for (const [, name = '', value = ''] of search.matchAll(/([^&=]+)=([^&]*)/g))
        query[name] = decodeURIComponent(value)
      return operation('getFile', undefined, { ...options, path, query })
    },
    url: (link) => new URL(link, origin).href,
    delete: (kind, options) => operation('deleteProfileFile', undefined, { ...options, path: { kind } }),
  }
}
