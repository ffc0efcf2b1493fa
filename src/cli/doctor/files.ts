import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../../config/index.ts'
import { makeDirectory } from '../../lib/directory.ts'
import { openStorage } from '../../composition/files.ts'
import { check, failOn, type CheckResult } from './check.ts'
import { checkDeletion } from './file-deletion.ts'

/**
 * Checks that files can be written, read and deleted, with one of its own, that the service deletes files, and that uploads
 * can be stored meanwhile.
 */
export async function checkFiles(config: Config, database: Promise<readonly CheckResult[]>): Promise<CheckResult[]> {
  const storage = await check('Files', () => checkStorage(config))
  return [
    storage,
    await checkDeletion(config, [storage, ...(await database)]),
    await check('Uploads', async () => {
      makeDirectory(config.uploadsDirectory)
      return `the directory ${config.uploadsDirectory} is writable`
    }),
  ]
}

async function checkStorage(config: Config): Promise<string> {
  if (!('directory' in config.files)) {
    const { checkBucket } = await import('../../adapters/files/check.ts')
    failOn(await checkBucket(config.files.s3))
  }
  const storage = await openStorage(config)
  const text = randomUUID()
  const path = join(tmpdir(), `tawthiq-doctor-${text}`)
  const key = storage.newKey()
  await writeFile(path, text, { mode: 0o600 })
  try {
    await storage.put(key, path, 'text/plain')
    const stream = await storage.read(key)
    if (stream === undefined || (await readText(stream)) !== text) throw new Error('the file that was written differs')
  } finally {
    await rm(path, { force: true })
    await storage.remove(key)
  }
  return `${storage.description.replace(/^The/, 'the')}: wrote, read and deleted a file`
}

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array)) // a stream of bytes
  return Buffer.concat(chunks).toString()
}
