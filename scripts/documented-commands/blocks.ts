import { newMarkdown } from '../site/code.ts'

/** How a block is run, as functions of prepare.sh, and why it is not */
type Kind = 'shell' | 'postgres' | 'serve' | 'skipped' | 'refused'
export type Block = Readonly<{ kind: Kind; page: string; at: string; text: string }>

/** The languages of shell blocks, or none */
const SHELLS: ReadonlySet<string> = new Set(['', 'sh', 'bash', 'shell', 'console'])
const KINDS: Readonly<Record<string, Kind>> = { '# As the user postgres': 'postgres', '# Runs until Ctrl+C': 'serve' }
const MARK = /^# Needs (\w+): not run by the tests of this page$/
/** What the system lacks, with the program that a block must use to have this mark */
const MISSING: Readonly<Record<string, RegExp>> = {
  Docker: /\bdocker\b/,
  Kubernetes: /\bkubectl\b/,
  systemd: /\bsystemctl\b/,
  S3: /\baws\b/,
}

export function readBlocks(page: string, markdown: string): Block[] {
  return fencesOf(markdown)
    .filter(({ language }) => SHELLS.has(language))
    .map(({ line, text }) => ({ kind: kindOf(text), page, at: `${page}:${line}`, text }))
}

/** Returns the first block of SQL of a page. */
export function readSql(markdown: string): string {
  return fencesOf(markdown).find(({ language }) => language === 'sql')?.text ?? ''
}

function fencesOf(markdown: string): { language: string; line: number; text: string }[] {
  const fences = newMarkdown()
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
  return fences.map(({ info, map, content: text }) => {
    return { language: info.trim().split(/\s/)[0] ?? '', line: (map?.[0] ?? 0) + 1, text }
  })
}

function kindOf(text: string): Kind {
  const [first = '', ...commands] = text.split('\n')
  const missing = MARK.exec(first)?.[1]
  if (missing === undefined) return KINDS[first] ?? 'shell'
  return MISSING[missing]?.test(commands.join('\n')) === true ? 'skipped' : 'refused'
}

/** Returns the script that runs the blocks in order, with a shell for each page. */
export function scriptOf(blocks: readonly Block[]): string {
  const run = blocks.filter(({ kind }) => kind !== 'skipped' && kind !== 'refused')
  const shells = [...new Set(run.map(({ page }) => page))].map((page) => {
    const calls = run.filter((block) => block.page === page).map(({ kind, at }) => `  ${kind} ${at}`)
    return `(\n${calls.join('\n')}\n)`
  })
  return ['. /blocks/prepare.sh', ...shells, 'finish', ''].join('\n')
}
