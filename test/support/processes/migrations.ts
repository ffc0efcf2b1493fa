import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from './process.ts'

/** Writes migrations into a new directory, by name. */
export function folderWith(sql: Record<string, string>): URL {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(sql)) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'migration.sql'), text)
  }
  return pathToFileURL(`${folder}/`)
}
