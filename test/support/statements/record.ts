import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type ts from 'typescript'
import { recordingCode, type Site } from './sites.ts'

/** Sources by their absolute path */
export type Sources = ReadonlyMap<string, Readonly<{ source: ts.SourceFile; sites: readonly Site[] }>>

/** Loads the sources, and returns the SQL texts that each place has by then. */
export async function recordTexts(sources: Sources): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const texts = new Map<string, Set<string>>()
  let bound = 0
  Object.assign(globalThis, {
    bindNext: () => `$${++bound}`,
    recordSql(place: string, sql: string | { text: string }) {
      bound = 0
      texts.set(place, (texts.get(place) ?? new Set()).add(typeof sql === 'string' ? sql : sql.text))
      return sql
    },
  })
  const outfile = resolve(`dist/recorded-${process.pid}.mjs`)
  const contents = [...sources.keys()].map((path) => `import ${JSON.stringify(path)}`).join('\n')
  const form = { bundle: true, format: 'esm', platform: 'node', packages: 'external' } as const
  await build({
    ...form,
    stdin: { contents, resolveDir: '.' },
    outfile,
    plugins: [recorder(sources)],
    logLevel: 'error',
  })
  await import(pathToFileURL(outfile).href).finally(() => rmSync(outfile))
  return texts
}

function recorder(sources: Sources): Plugin {
  return {
    name: 'recorder',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const found = sources.get(path)
        return found && { contents: recordingCode(found.source, found.sites), loader: 'js' }
      })
    },
  }
}
