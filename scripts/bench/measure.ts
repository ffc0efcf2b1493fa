// Measures this version, alone or with the last release or another version in the same minutes.
import { cpus } from 'node:os'
import { mapMembers } from '../generate/document/openapi.ts'
import { markdownTable, writeSection } from '../generate/markdown.ts'
import type { Session } from '../load/session.ts'
import { BASES, startBase, type Base } from './base-server.ts'
import { startVariant, type Use, type Variant } from './variant.ts'
import { judge, limitOf, median, type Rounds, type Verdict } from './verdict.ts'
import { WORKS, type Figure, type Work } from './works.ts'

const PAGE = 'docs/performance.md'
const ROUNDS = 9
/** Rounds of works with figures that differ too much in the first ones */
const MORE_ROUNDS = 6

/** What a request used in a round with each version, and what it is compared with */
type Round = Readonly<{ uses: readonly Use[]; bases: readonly number[] }>
type Measured = Readonly<{ work: Work; rounds: Round[] }>

/** Returns the table of this version. */
export async function measureThis(session: Session, serverUrl: string): Promise<string> {
  const variant = await startVariant(session, serverUrl, { name: 'this version', directory: '.' })
  const measuring = { variants: [variant], measureBase: await startBase(session, serverUrl) }
  const all = await warmUp(measuring)
  await measureRounds(ROUNDS, all, measuring)
  const headings = ['Work', 'Ratio', 'Requests/s', 'Busy', 'CPU', 'Main thread', 'PostgreSQL', 'Write-ahead log']
  const rows = all.map(({ work, rounds }) => {
    const of = (name: keyof Use): number => median(rounds.map(({ uses: [use] }) => use?.[name] ?? Number.NaN))
    const micros = (name: keyof Use): string => formatFigure(of(name), 'µs')
    const [figure] = work.figures
    return [
      figure.name,
      formatFigure(median(valuesOf({ ...figure, unit: 'ratio' }, rounds, 0)), 'ratio'),
      (1e6 / of('elapsedMicros')).toFixed(0),
      `${((100 * of('mainMicros')) / of('elapsedMicros')).toFixed(0)} %`,
      ...[micros('processMicros'), micros('mainMicros'), micros('databaseMicros')],
      formatFigure(of('walBytes'), 'bytes'),
    ]
  })
  const bases: string[] = []
  for (const base of BASES) bases.push(`${base} ${formatFigure(await measuring.measureBase(base), 'µs')}`)
  return `${markdownTable(headings, rows)}\n\nBases: ${bases.join(', ')}`
}

type Other = { directory: string; name: string; writes: boolean }

/** Prints the figures of both versions. Returns whether none is above its limit. */
export async function compareWith(session: Session, serverUrl: string, other: Other): Promise<boolean> {
  const variants = [
    await startVariant(session, serverUrl, { name: 'this version', directory: '.' }),
    await startVariant(session, serverUrl, other),
  ]
  const measuring = { variants, measureBase: await startBase(session, serverUrl) }
  const all = await warmUp(measuring)
  await measureRounds(ROUNDS, all, measuring)
  const isNoisy = ({ work, rounds }: Measured): boolean =>
    work.figures.some((figure) => judge(roundsOf(figure, rounds)) === 'noisy')
  const noisy = all.filter(isNoisy)
  const again = all.filter((each) => noisy.some((other) => other === each || other.work.base === each.work))
  await measureRounds(MORE_ROUNDS, again, measuring)
  const figures = all.flatMap(({ work, rounds }) =>
    work.figures.map((figure) => ({ figure, rounds: roundsOf(figure, rounds) })),
  )
  const headings = ['Work', other.name, 'This version', 'Target', 'Limit', '']
  const table = markdownTable(headings, figures.map(formatRow))
  console.log(table)
  if (other.writes) writePage(table, other.name)
  return figures.every(({ rounds }) => judge(rounds) !== 'too much')
}

type Measuring = Readonly<{ variants: readonly Variant[]; measureBase(base: Base): Promise<number> }>

async function warmUp({ variants, measureBase }: Measuring): Promise<Measured[]> {
  for (const base of BASES) await measureBase(base)
  for (const work of WORKS)
    for (const variant of variants) for (let round = 0; round < work.warmUps; round++) await work.send(variant)
  for (const variant of variants) await variant.settle()
  return WORKS.map((work) => ({ work, rounds: [] }))
}

async function measureRounds(count: number, all: readonly Measured[], measuring: Measuring): Promise<void> {
  const { variants, measureBase } = measuring
  for (let round = 0; round < count; round++) {
    const bases = new Map<Work['base'], readonly number[]>()
    for (const { work, rounds } of all) {
      const { base } = work
      if (typeof base === 'string' && !bases.has(base)) {
        const micros = await measureBase(base)
        bases.set(
          base,
          variants.map(() => micros),
        )
      }
      const uses = new Map<Variant, Use>()
      // The one that is measured first would warm the caches of the database for the other.
      for (const variant of round % 2 === 0 ? variants : variants.toReversed())
        uses.set(variant, await measure(variant, work))
      const inOrder = variants.flatMap((variant) => uses.get(variant) ?? [])
      bases.set(
        work,
        inOrder.map(({ totalMicros }) => totalMicros),
      )
      rounds.push({ bases: bases.get(base) ?? [], uses: inOrder })
    }
  }
}

/** Returns what a request of a work uses. */
async function measure(variant: Variant, work: Work): Promise<Use> {
  const before = await variant.readUse()
  const requests = await work.send(variant)
  const after = await variant.readUse()
  return mapMembers(after, (value, of) => (Number(value) - before[of as keyof Use]) / requests) as Use
}

/** Returns a figure of a version in each round. */
function valuesOf({ of, unit }: Figure, rounds: readonly Round[], version: number): number[] {
  return rounds.map(
    ({ bases, uses }) => (uses[version]?.[of] ?? Number.NaN) / (unit === 'ratio' ? (bases[version] ?? Number.NaN) : 1),
  )
}

function roundsOf(figure: Figure, rounds: readonly Round[]): Rounds {
  return { ours: valuesOf(figure, rounds, 0), before: valuesOf(figure, rounds, 1), target: figure.target }
}

const TEXTS: Record<Verdict, string> = { ok: '', 'too much': 'above the limit', noisy: 'too noisy to tell' }

function formatRow({ figure: { name, unit, target }, rounds }: { figure: Figure; rounds: Rounds }): string[] {
  const [ours, before] = [median(rounds.ours), median(rounds.before)]
  const format = (figure: number): string => formatFigure(figure, unit)
  const limit = format(limitOf(before, target))
  return [name, format(before), format(ours), target === undefined ? '' : format(target), limit, TEXTS[judge(rounds)]]
}

function formatFigure(figure: number, unit: Figure['unit']): string {
  if (unit === 'ratio') return `${figure.toFixed(2)} ×`
  return unit === 'µs' ? `${figure.toFixed(0)} µs` : `${(figure / 1000).toFixed(1)} kB`
}

/** Replaces the table of the page. */
function writePage(table: string, name: string): void {
  const when = `Compared with ${name} on ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}:`
  writeSection(PAGE, 'gate', `${when}\n\n${table}`)
}
