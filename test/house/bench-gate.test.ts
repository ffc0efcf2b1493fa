// The verdict of npm run bench -- --gate about figures that were measured.
import t from 'tap'
import { judge, limitOf, type Rounds } from '../../scripts/bench/verdict.ts'

const repeat = (figure: number, count: number): number[] => Array.from({ length: count }, () => figure)
const same = (ours: number, before: number, target?: number): Rounds => ({
  ours: repeat(ours, 7),
  before: repeat(before, 7),
  target,
})

void t.test('limits figures to the larger of the target and 1.15 times the version before', (t) => {
  t.equal(limitOf(100, 50), 114.99999999999999)
  t.equal(limitOf(100, 200), 200)
  t.equal(judge(same(1.14, 1)), 'ok')
  t.equal(judge(same(1.16, 1)), 'too much')
  t.equal(judge(same(2.4, 1, 2.4)), 'ok')
  t.equal(judge(same(2.41, 2, 2.4)), 'too much')
  t.end()
})

void t.test('compares the figures of one round, as noise concerns both', (t) => {
  const noise = [1, 3, 0.5, 2, 1, 4, 1]
  t.equal(judge({ ours: noise, before: noise }), 'ok')
  t.equal(judge({ ours: noise.map((each) => each * 1.2), before: noise }), 'too much')
  t.end()
})

void t.test('does not guess if rounds differ, and ignores the outermost of many', (t) => {
  t.equal(judge({ ours: [...repeat(1, 6), 2], before: repeat(1, 7) }), 'noisy')
  t.equal(judge({ ours: [...repeat(2, 6), 1], before: repeat(1, 7) }), 'noisy')
  t.equal(judge({ ours: [...repeat(1, 12), 2, 2, 2], before: repeat(1, 15) }), 'ok')
  t.equal(judge({ ours: [...repeat(1, 11), 2, 2, 2, 2], before: repeat(1, 15) }), 'noisy')
  t.equal(judge({ ours: [...repeat(2, 12), 1, 1, 1], before: repeat(1, 15) }), 'too much')
  t.end()
})

void t.test('rejects a median far above the limit, however much the rounds differ', (t) => {
  const far = [...repeat(1, 5), ...repeat(1.5, 10)]
  t.equal(judge({ ours: far, before: repeat(1, 15) }), 'too much')
  t.equal(judge({ ours: far.slice(0, 7).reverse(), before: repeat(1, 7) }), 'noisy', 'more rounds follow')
  t.equal(judge({ ours: [...repeat(1, 5), ...repeat(1.4, 10)], before: repeat(1, 15) }), 'noisy')
  t.end()
})

void t.test('passes nothing that was not measured', (t) => {
  t.equal(judge({ ours: repeat(Number.NaN, 7), before: repeat(1, 7) }), 'noisy')
  t.end()
})
