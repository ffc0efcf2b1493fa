// Reads ZIP archives and account exports.
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import type { AccountExport } from '../../../src/domain/accounts/account-export.ts'
import { schemaViolations, type Received } from '../service/responses.ts'

/** Returns the entries of a ZIP archive by name, in order. Throws if a checksum is wrong. */
export async function unzip(archive: Uint8Array): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(archive))
  const entries: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} has a wrong checksum`)
    entries[entry.fileName] = bytes
  }
  return entries
}

/** Returns the content of an export. Throws if account.json does not match the document. */
export async function exportIn({ body }: Pick<Received, 'body'>): Promise<{
  account: AccountExport
  /** The text of account.json */
  text: string
  files: Record<string, Buffer>
}> {
  const { 'account.json': json, ...files } = await unzip(body as unknown as Buffer)
  const text = json?.toString() ?? ''
  const account = JSON.parse(text) as AccountExport
  const violations = await schemaViolations('AccountExport', account)
  if (violations.length > 0) throw new Error(`${violations.join('; ')}\n${text}`)
  return { account, text, files }
}
