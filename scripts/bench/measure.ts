// Measures this version, alone or with the last release or another version in the same minutes.
import { cpus } from 'node:os'
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

type Version = { directory: string; name: string }
export const THIS: Version = { name: 'this version', directory: '.' }

export async function measureThis(session: Session, serverUrl: string): Promise<string> {
  const measuring = await warmUp(session, serverUrl, [THIS])
  await measureRounds(ROUNDS, measuring)
  const headings = ['Work', 'Ratio', 'Requests/s', 'Busy', 'CPU', 'Main thread', 'PostgreSQL', 'Write-ahead log']
  const rows = measuring.all.map(({ work, rounds }) => {
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

/** Prints the figures of both versions. Returns whether none is above its limit. */
export async function compareWith(
  session: Session,
  serverUrl: string,
  other: Version & { writes: boolean },
): Promise<boolean> {
  const measuring = await warmUp(session, serverUrl, [THIS, other])
  const { all } = measuring
  await measureRounds(ROUNDS, measuring)
  const isNoisy = ({ work, rounds }: Measured): boolean =>
    work.figures.some((figure) => judge(roundsOf(figure, rounds)) === 'noisy')
  const noisy = all.filter(isNoisy)
  const again = all.filter((each) => noisy.some((other) => other === each || other.work.base === each.work))
  await measureRounds(MORE_ROUNDS, { ...measuring, all: again })
  const figures = all.flatMap(({ work, rounds }) =>
    work.figures.map((figure) => ({ figure, rounds: roundsOf(figure, rounds) })),
  )
  const headings = ['Work', other.name, 'This version', 'Target', 'Limit', '']
  const table = markdownTable(headings, figures.map(formatRow))
  console.log(table)
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}`
  const when = `Compared with ${other.name} on ${new Date().toISOString().slice(0, 10)}, on ${machine}:`
  if (other.writes) writeSection(PAGE, 'gate', `${when}\n\n${table}`)
  return figures.every(({ rounds }) => judge(rounds) !== 'too much')
}

type Measuring = Readonly<{
  all: readonly Measured[]
  variants: readonly Variant[]
  measureBase(base: Base): Promise<number>
}>

async function warmUp(session: Session, serverUrl: string, versions: readonly Version[]): Promise<Measuring> {
  const variants: Variant[] = []
  for (const version of versions) variants.push(await startVariant(session, serverUrl, version))
  const measureBase = await startBase(session, serverUrl)
  for (const base of BASES) await measureBase(base)
  for (const work of WORKS)
    for (const variant of variants) for (let round = 0; round < work.warmUps; round++) await work.send(variant)
  for (const variant of variants) await variant.settle()
  return { all: WORKS.map((work) => ({ work, rounds: [] })), variants, measureBase }
}

async function measureRounds(count: number, { all, variants, measureBase }: Measuring): Promise<void> {
  for (let round = 0; round < count; round++) {
    // The one that is measured first would warm the caches of the database for the other.
    const order = round % 2 === 0 ? variants : variants.toReversed()
    const bases = new Map<Work['base'], readonly number[]>()
    for (const { work, rounds } of all) {
      const { base } = work
      if (typeof base === 'string' && !bases.has(base)) {
        const micros = await measureBase(base)
        bases.set(base, Array<number>(variants.length).fill(micros))
      }
      const uses: Use[] = []
      for (const variant of order) uses.push(await measure(variant, () => work.send(variant)))
      if (order !== variants) uses.reverse()
      const own = uses.map(({ totalMicros }) => totalMicros)
      bases.set(work, own)
      rounds.push({ bases: bases.get(base) ?? [], uses })
    }
  }
}

/** Returns what each of the requests that are sent uses. */
export async function measure(variant: Variant, send: () => Promise<number>): Promise<Use> {
  const before = await variant.readUse()
  const requests = await send()
  const after = await variant.readUse()
  const uses = Object.entries(after).map(([of, value]) => [of, (value - before[of as keyof Use]) / requests])
  return Object.fromEntries(uses) as Use
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
