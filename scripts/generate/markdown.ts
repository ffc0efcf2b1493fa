import { readFileSync, writeFileSync } from 'node:fs'

type Cells = readonly (string | number)[]

export function markdownTable(head: Cells, rows: readonly Cells[]): string {
  const texts = rows.map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')))
  const widths = head.map((title, at) => Math.max(3, String(title).length, ...texts.map((row) => row[at]?.length ?? 0)))
  const line = (cells: Cells): string =>
    `| ${cells.map((cell, at) => String(cell).padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...texts.map(line)].join('\n')
}

/** Returns a page whose section between `<!-- name -->` and `<!-- /name -->` has another text. */
export function fillSection(path: string, name: string, text: string): string {
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`)
  const page = readFileSync(path, 'utf8')
  if (!place.test(page)) throw new Error(`${path} has no markers for the section ${name}`)
  return page.replace(place, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`)
}

export function writeSection(path: string, name: string, text: string): void {
  writeFileSync(path, fillSection(path, name, text))
}
