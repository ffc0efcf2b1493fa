// Replaces positions in compiled files by those in their sources. Test processes run without source maps, which take a
// tenth of their time, so this is done for the output of failures only.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

const POSITION = /(?:file:\/\/)?([\w@./-]*\bdist\/[\w@./-]+\.js):(\d+):(\d+)/g
const maps = new Map()

export function withSourcePositions(text) {
  return text.replaceAll(POSITION, (position, path, line, column) => {
    const { originalSource, originalLine, originalColumn } = mapOf(path)?.findEntry(line - 1, column - 1) ?? {}
    if (originalSource === undefined) return position
    return `${relative('.', resolve(dirname(path), originalSource))}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(path) {
  const file = `${path}.map`
  if (!maps.has(file)) {
    maps.set(file, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  }
  return maps.get(file)
}
