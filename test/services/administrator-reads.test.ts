// What is recorded of a list that an administrator has read.
import t from 'tap'
import { filtersText, resultsText } from '../../src/services/administration/reads.ts'

void t.test('records the filters of a list, and the ids that it returned', (t) => {
  const filters = filtersText({ status: 'active', q: undefined, limit: 20 })
  t.equal(filters, 'status=active limit=20')
  t.equal(resultsText(filters, 'users', [4, 9]), 'status=active limit=20 users=4,9')
  t.equal(resultsText('', 'users', []), 'users=none')
  t.end()
})

void t.test('records the number and the range of ids that do not fit', (t) => {
  const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => 100 + at)
  const longest = resultsText('f=1234', 'users', ids(60))
  t.equal(longest.length, 6 + 1 + 6 + 60 * 4 - 1)
  t.equal(resultsText('f=12345678', 'users', ids(60)), 'f=12345678 users=60:100-159')
  t.equal(resultsText('f=123456', 'users', ids(60)).length, 254)
  t.equal(resultsText('f=1234567', 'users', ids(60)), 'f=1234567 users=60:100-159')
  t.equal(filtersText({ q: 'x'.repeat(300) }).length, 254)
  t.equal(resultsText('x'.repeat(254), 'users', ids(1)).length, 254)
  t.end()
})
