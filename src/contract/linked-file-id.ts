import { bindings } from '../../generated/operations.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FILE_LINK = new RegExp(`^${bindings.getFile.path.replace('{file_id}', `(${UUID})`)}(?:\\?.*)?$`)

/** Returns the id of the file that a value links to, as profiles contain it; undefined if it is no link to a file. */
export function fileIdOf(value: unknown): string | undefined {
  return typeof value === 'string' ? FILE_LINK.exec(value)?.[1] : undefined
}
