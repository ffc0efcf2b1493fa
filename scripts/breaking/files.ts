import { readFile } from 'node:fs/promises'
import type { Node } from './json.ts'

export const DOCUMENT = 'generated/openapi.json'
/** The document of the last release, which only the release script writes */
export const BASELINE = 'openapi/released/v1.json'
export const ACCEPTED = 'openapi/released/accepted.yaml'

/** Reads a document; undefined if there is no such file. */
export async function readJson(path: string): Promise<Node | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Node
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
