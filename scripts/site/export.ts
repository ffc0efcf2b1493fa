import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { siteFiles } from './build.ts'

/** Writes the site for any web server, and returns the number of files. `server` is the URL of the service. */
export async function exportSite(directory: string, server?: string): Promise<number> {
  const files = await siteFiles(server === undefined ? undefined : new URL(server).href.replace(/\/$/, ''))
  for (const { path, body } of files) {
    const target = join(directory, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, body)
  }
  return files.length
}
