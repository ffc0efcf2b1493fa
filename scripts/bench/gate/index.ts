// Compares this version with the last release, or another commit, in the same minutes.
import { cpus } from 'node:os'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort, startPart, type Part } from '../../scale/parts.ts'
import { median } from '../figures.ts'
import { CONNECTIONS, readThreads, startVariant, type Use, type Variant } from './variant.ts'
import { judge, limitOf, type Rounds, type Verdict } from './verdict.ts'
import { sendReads, WORKS, type Figure, type Work } from './works.ts'

const PAGE = 'docs/performance.md'
const ROUNDS = 7
/** Rounds of figures that differ too much in the first ones */
const MORE_ROUNDS = 8

type Compared = { figure: Figure; work: Work; ours: number[]; before: number[] }
type Options = { serverUrl: string; directory: string; name: string; writes: boolean }

/** Measures both versions, and prints the table. Returns whether no figure is above its limit. */
export async function runGate({ serverUrl, directory, name, writes }: Options): Promise<boolean> {
  const stops: (() => Promise<void>)[] = []
  try {
    const variants: Variant[] = []
    for (const [title, path] of [
      ['this version', '.'],
      [name, directory],
    ] as const) {
      const variant = await startVariant(title, path, serverUrl)
      stops.push(() => variant.stop())
      variants.push(variant)
    }
    const bare = await startBare()
    stops.push(() => bare.part.stop())
    const compared = await compare(variants, bare)
    const table = formatTable(compared, name)
    console.log(table)
    if (writes) writePage(table, name)
    return compared.every((each) => judge(rounds(each)) !== 'too much')
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function compare(variants: readonly Variant[], bare: Bare): Promise<Compared[]> {
  const all = WORKS.flatMap((work) => work.figures.map((figure): Compared => ({ figure, work, ours: [], before: [] })))
  const [first] = variants
  if (!first) throw new Error('there is no version')
  for (const work of WORKS) {
    await bare.set(work.constant, first)
    for (const variant of variants) for (let round = 0; round < work.warmUps; round++) await work.send(variant)
  }
  for (const variant of variants) await variant.checkpoint()
  await measureRounds(ROUNDS, { all, variants, bare })
  const noisy = all.filter((each) => judge(rounds(each)) === 'noisy')
  await measureRounds(MORE_ROUNDS, { all: noisy, variants, bare })
  return all
}

type Measuring = { all: readonly Compared[]; variants: readonly Variant[]; bare: Bare }

async function measureRounds(count: number, { all, variants, bare }: Measuring): Promise<void> {
  const works = WORKS.filter((work) => all.some((each) => each.work === work))
  for (let round = 0; round < count; round++) {
    const constants = new Map<string, number>()
    for (const constant of new Set(works.map((each) => each.constant)))
      constants.set(constant, await bare.measure(constant))
    for (const work of works) {
      // The one that is measured first would warm the caches of the database for the other.
      for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
        const use = await measure(variant, work)
        for (const each of all.filter((of) => of.work === work)) {
          const { unit, of } = each.figure
          const list = variant === variants[0] ? each.ours : each.before
          list.push(unit === 'ratio' ? use[of] / (constants.get(work.constant) ?? Number.NaN) : use[of])
        }
      }
    }
  }
}

/** Returns what a request of a work uses. */
async function measure(variant: Variant, work: Work): Promise<Use> {
  const before = await variant.readUse()
  const requests = await work.send(variant)
  const after = await variant.readUse()
  const per = (of: keyof Use): number => (after[of] - before[of]) / requests
  return {
    processMicros: per('processMicros'),
    mainMicros: per('mainMicros'),
    databaseMicros: per('databaseMicros'),
    walBytes: per('walBytes'),
  }
}

type Bare = {
  part: Part
  /** Lets the bare route return what the service returns. */
  set(constant: string, from: Variant): Promise<void>
  /** Returns the CPU time of a request. */
  measure(constant: string): Promise<number>
}

/** Longer texts are returned as they are, because serializing them would take most of the time. */
const LARGE = 10_000

/** The bare routes read no token. */
const ANYONE = Array.from({ length: CONNECTIONS }, () => ({ token: 'none' }))

async function startBare(): Promise<Bare> {
  const port = await freePort()
  const script = fileURLToPath(new URL('bare.js', import.meta.url))
  const { PATH = '' } = process.env
  const part = await startPart(process.execPath, [script], port, { PATH, NODE_ENV: 'production', PORT: String(port) })
  const toUrl = (constant: string): string => `http://127.0.0.1:${port}/constant/${encodeURIComponent(constant)}`
  return {
    part,
    async set(constant, { origin, clients, lawyers }) {
      const account = constant.startsWith('lawyer') ? lawyers[0] : clients[0]
      const url = `${origin}/api/v1${constant.replace('lawyer ', '')}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${account?.token ?? ''}` } })
      const text = await response.text()
      const body = JSON.stringify({ answer: text.length > LARGE ? text : (JSON.parse(text) as unknown) })
      await fetch(toUrl(constant), { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
      await sendReads(toUrl(constant), ANYONE)
    },
    async measure(constant) {
      const before = readThreads(part.pid)
      const requests = await sendReads(toUrl(constant), ANYONE)
      return (readThreads(part.pid) - before) / requests
    },
  }
}

function rounds({ ours, before, figure: { target } }: Compared): Rounds {
  return { ours, before, target }
}

const TEXTS: Record<Verdict, string> = { ok: '', 'too much': 'above the limit', noisy: 'too noisy to tell' }

function formatTable(compared: readonly Compared[], name: string): string {
  const head = `| Work | ${name} | This version | Target | Limit | |\n| --- | --- | --- | --- | --- | --- |`
  const rows = compared.map((each) => {
    const { name: work, target, unit } = each.figure
    const [ours, before] = [median(each.ours), median(each.before)]
    const format = (figure: number): string => formatFigure(figure, unit)
    const limit = format(limitOf(before, target))
    const cells = [work, format(before), format(ours), target === undefined ? '' : format(target), limit]
    return `| ${cells.join(' | ')} | ${TEXTS[judge(rounds(each))]} |`
  })
  return [head, ...rows].join('\n')
}

function formatFigure(figure: number, unit: Figure['unit']): string {
  if (unit === 'ratio') return `${figure.toFixed(2)} ×`
  return unit === 'µs' ? `${figure.toFixed(0)} µs` : `${(figure / 1000).toFixed(1)} kB`
}

/** Replaces the table of the page. */
function writePage(table: string, name: string): void {
  const when = `Compared with ${name} on ${new Date().toISOString().slice(0, 10)}, on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node.js ${process.version}:`
  const text = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    text.replace(/<!-- gate -->[\s\S]*<!-- \/gate -->/, () => `<!-- gate -->\n\n${when}\n\n${table}\n\n<!-- /gate -->`),
  )
}
