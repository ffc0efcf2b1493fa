// Tests of the places where two parts meet: each combination of two or more lists is a cell with a test of its own.

export type Axes = Readonly<Record<string, readonly string[]>>
export type Cell<A extends Axes> = { readonly [Axis in keyof A]: A[Axis][number] }

/** `MATRIX=all` tests every cell, and a number replaces the sample's seed. */
const { MATRIX } = process.env
const SEED = Number(MATRIX ?? 1) || 1

/**
 * Returns the cells to test: all of them with `MATRIX=all`, and otherwise a sample that is the same in each run, in which
 * the pairs of values come first that no earlier cell has.
 *
 * @param size the number of cells in a sample
 */
export function matrixCells<const A extends Axes>(axes: A, size: number): Cell<A>[] {
  const cells = shuffle(allCells(axes), SEED)
  if (MATRIX === 'all' || cells.length <= size) return cells
  const seen = new Set<string>()
  const isNew = (cell: Cell<A>): boolean => {
    const fresh = pairsOf(cell).filter((pair) => !seen.has(pair))
    for (const pair of fresh) seen.add(pair)
    return fresh.length > 0
  }
  const pairwise = cells.filter(isNew)
  return [...new Set([...pairwise, ...cells])].slice(0, size)
}

/** Returns the title of the test of a cell: `RST, in the body, JSON`. */
export function cellName(cell: Readonly<Record<string, string>>): string {
  return Object.values(cell).join(', ')
}

function allCells<A extends Axes>(axes: A): Cell<A>[] {
  return Object.entries(axes).reduce<Record<string, string>[]>(
    (cells, [axis, values]) => cells.flatMap((cell) => values.map((value) => ({ ...cell, [axis]: value }))),
    [{}],
  ) as Cell<A>[] // each has one value per axis
}

function pairsOf(cell: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(cell).map(([axis, value]) => `${axis}=${value}`)
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`))
}

/** Shuffles by a linear congruential generator, so that a seed repeats an order. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  return items
    .map((item) => ({ item, order: next() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}
