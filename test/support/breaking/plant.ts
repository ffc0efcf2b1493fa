// A change of the sources that the gate must judge rightly.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Replaces a text that occurs once, or copies a file. The paths are those within openapi/. */
export type Edit = Readonly<{ file: string; from: string; to: string } | { file: string; copyOf: string }>

export type Plant = Readonly<{
  title: string
  /** The line of the guide Versioning that the change is an instance of */
  row: string
  edits: readonly Edit[]
  /** The rule and location of each break that must be found; none: the change is compatible */
  breaks: readonly `${string} ${string}`[]
}>

export function edit(file: string, from: string, to: string): Edit {
  return { file, from, to }
}

export function copy(copyOf: string, file: string): Edit {
  return { copyOf, file }
}

/** Applies edits to a copy of openapi/. Throws if the text of an edit does not occur exactly once. */
export async function applyEdits(folder: string, edits: readonly Edit[]): Promise<void> {
  for (const each of edits) {
    const path = join(folder, each.file)
    if ('copyOf' in each) {
      await copyFile(join(folder, each.copyOf), path)
      continue
    }
    const parts = (await readFile(path, 'utf8')).split(each.from)
    if (parts.length !== 2) throw new Error(`${each.file} has ${parts.length - 1} times: ${each.from}`)
    await writeFile(path, parts.join(each.to))
  }
}
