import { readFileSync } from 'node:fs'

/** The arguments of the CLI. `url` is absent if the embedded database replaces a server. */
export type Arguments = {
  version: boolean
  command: string | undefined
  models: [path: string, text: string][]
  url: string | undefined
  shadowUrl: string | undefined
}

/** The host by which prisma.config.ts names the embedded database. */
const EMBEDDED_HOST = 'embedded.invalid'

export function readArguments(words: string[]): Arguments {
  const after = (word: string): string[] => words.flatMap((each, at) => (each === word ? (words[at + 1] ?? []) : []))
  const [source] = after('--datasource')
  const { url, shadowDatabaseUrl } = source === undefined ? {} : (JSON.parse(source) as Datasource)
  const isServer = url !== undefined && new URL(url).hostname !== EMBEDDED_HOST
  return {
    version: words.includes('--version'),
    command: after('cli')[0],
    models: after('--datamodels').map((path) => [path, readFileSync(path, 'utf8')]),
    url: isServer ? url : undefined,
    shadowUrl: shadowDatabaseUrl,
  }
}

type Datasource = { url?: string; shadowDatabaseUrl?: string }
