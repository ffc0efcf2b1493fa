// Measures this version, alone or with the last release or another version in the same minutes.
import { cpus } from 'node:os'
import { mapMembers } from '../generate/document/openapi.ts'
import { markdownTable, writeSection } from '../generate/markdown.ts'
import type { Session } from '../load/session.ts'
import { startBare, type Bare } from './bare-server.ts'
import { startVariant, type Use, type Variant } from './variant.ts'
import { judge, limitOf, median, type Rounds, type Verdict } from './verdict.ts'
import { WORKS, type Figure, type Work } from './works.ts'

const PAGE = 'docs/performance.md'
const ROUNDS = 7
/** Rounds of works with figures that differ too much in the first ones */
const MORE_ROUNDS = 8

/** What a request used in a round: with the bare route, and with each version */
type Round = Readonly<{ bareMicros: number; uses: readonly Use[] }>
type Measured = Readonly<{ work: Work; rounds: Round[] }>

/** Returns the table of this version. */
export async function measureThis(session: Session, serverUrl: string): Promise<string> {
  const variant = await startVariant(session, serverUrl, { name: 'this version', directory: '.' })
  const measuring = { variants: [variant], bare: await startBare(session) }
  const all = await warmUp(measuring)
  await measureRounds(ROUNDS, all, measuring)
  const headings = ['Work', 'To bare route', 'Requests/s', 'CPU', 'Main thread', 'PostgreSQL', 'Write-ahead log']
  const rows = all.map(({ work, rounds }) => {
    const of = (name: keyof Use): number => median(rounds.map(({ uses: [use] }) => use?.[name] ?? Number.NaN))
    const micros = (name: keyof Use): string => formatFigure(of(name), 'µs')
    const [figure] = work.figures
    return [
      figure.name,
      formatFigure(median(valuesOf({ ...figure, unit: 'ratio' }, rounds, 0)), 'ratio'),
      (1e6 / of('elapsedMicros')).toFixed(0),
      ...[micros('processMicros'), micros('mainMicros'), micros('databaseMicros')],
      formatFigure(of('walBytes'), 'bytes'),
    ]
  })
  return markdownTable(headings, rows)
}

type Other = { directory: string; name: string; writes: boolean }

/** Prints the figures of both versions. Returns whether none is above its limit. */
export async function compareWith(session: Session, serverUrl: string, other: Other): Promise<boolean> {
  const variants = [
    await startVariant(session, serverUrl, { name: 'this version', directory: '.' }),
    await startVariant(session, serverUrl, other),
  ]
  const measuring = { variants, bare: await startBare(session) }
  const all = await warmUp(measuring)
  await measureRounds(ROUNDS, all, measuring)
  const noisy = all.filter(({ work, rounds }) =>
    work.figures.some((figure) => judge(roundsOf(figure, rounds)) === 'noisy'),
  )
  await measureRounds(MORE_ROUNDS, noisy, measuring)
  const figures = all.flatMap(({ work, rounds }) =>
    work.figures.map((figure) => ({ figure, rounds: roundsOf(figure, rounds) })),
  )
  const headings = ['Work', other.name, 'This version', 'Target', 'Limit', '']
  const table = markdownTable(headings, figures.map(formatRow))
  console.log(table)
  if (other.writes) writePage(table, other.name)
  return figures.every(({ rounds }) => judge(rounds) !== 'too much')
}

type Measuring = Readonly<{ variants: readonly Variant[]; bare: Bare }>

async function warmUp({ variants, bare }: Measuring): Promise<Measured[]> {
  const [first] = variants
  for (const work of WORKS) {
    if (first) await bare.prepare(work.route, first)
    for (const variant of variants) for (let round = 0; round < work.warmUps; round++) await work.send(variant)
  }
  for (const variant of variants) await variant.checkpoint()
  return WORKS.map((work) => ({ work, rounds: [] }))
}

async function measureRounds(count: number, all: readonly Measured[], { variants, bare }: Measuring): Promise<void> {
  for (let round = 0; round < count; round++) {
    const routes = new Map<string, number>()
    for (const route of new Set(all.map(({ work }) => work.route))) routes.set(route, await bare.measure(route))
    for (const { work, rounds } of all) {
      const uses = new Map<Variant, Use>()
      // The one that is measured first would warm the caches of the database for the other.
      for (const variant of round % 2 === 0 ? variants : variants.toReversed())
        uses.set(variant, await measure(variant, work))
      const bareMicros = routes.get(work.route) ?? Number.NaN
      rounds.push({ bareMicros, uses: variants.flatMap((variant) => uses.get(variant) ?? []) })
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
  return rounds.map(({ bareMicros, uses }) => (uses[version]?.[of] ?? Number.NaN) / (unit === 'ratio' ? bareMicros : 1))
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
