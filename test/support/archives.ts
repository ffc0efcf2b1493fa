// Archives, as somebody who gets one reads them.
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import type { AccountExport } from '../../src/domain/account-copy.ts'
import { violationsOf, type Received } from './answers.ts'

/** The entries of a ZIP archive by name, in their order, whose lengths and checksums are right. */
export async function unzip(archive: Uint8Array): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(archive))
  const entries: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} has another checksum`)
    entries[entry.fileName] = bytes
  }
  return entries
}

/** What is in the archive of an export, whose account.json is as the document has it. */
export async function exportIn({ body }: Pick<Received, 'body'>): Promise<{
  account: AccountExport
  /** account.json as it is written */
  text: string
  files: Record<string, Buffer>
}> {
  const { 'account.json': json, ...files } = await unzip(body as unknown as Buffer)
  const text = json?.toString() ?? ''
  const account = JSON.parse(text) as AccountExport
  const wrong = await violationsOf('AccountExport', account)
  if (wrong.length > 0) throw new Error(`${wrong.join('; ')}\n${text}`)
  return { account, text, files }
}
