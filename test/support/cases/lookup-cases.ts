// Contract cases that all lookups share.
import type { OperationId } from '../../../src/contract/operation.ts'
import { cacheCases, commonCases } from './common-cases.ts'
import type { Case, Cases } from './contract.ts'

type Item = { id: number; name: string; name_ar: string; name_en: string }

/**
 * Returns the cases of a lookup.
 *
 * @param itemsMin the smallest number of items that it may have
 */
export function lookupCases(id: OperationId, itemsMin: number): Record<200 | 304 | 400 | 422 | 500 | 503, Cases> {
  const common = commonCases(id, () => ({}), 'lookups')
  const inArabic: Case = async (send, _world, t) => {
    const received = await send({ language: 'ar' })
    const { items } = received.body.data as { items: Item[] }
    t.ok(items.length >= itemsMin, `${items.length} items`)
    t.ok(items.every(({ name, name_ar: ar }) => name === ar))
    t.match(received.headers, {
      'cache-control': 'public, max-age=300',
      vary: /Accept-Language/,
      'content-language': 'ar',
    })
    return received
  }
  const inEnglish: Case = async (send, _world, t) => {
    const received = await send({ language: 'en' })
    const { items } = received.body.data as { items: Item[] }
    t.ok(items.every(({ name, name_en: en }) => name === en))
    const named = items.map(({ name }) => name).filter((name) => !name.startsWith('Other'))
    t.same(named, [...named].sort(new Intl.Collator('en').compare), 'sorted by name')
    return received
  }
  const byName: Case = async (send, _world, t) => {
    const all = (await send()).body.data as { items: Item[] }
    const [first] = all.items
    const received = await send({ query: { q: ` ${first?.name_en.toUpperCase().slice(0, 4) ?? ''}` } })
    const found = (received.body.data as { items: Item[] }).items
    t.ok(found.some((item) => item.id === first?.id))
    t.ok(found.length < all.items.length)
    return received
  }
  const longSearch: Case = async (send, _world, t) => {
    const received = await send({ query: { q: 'x'.repeat(101) } })
    t.same(received.body.data.codes, { q: ['too_long'] })
    return received
  }
  return {
    ...common,
    200: {
      'lists all items in Arabic': inArabic,
      'lists all items in English, sorted by name': inEnglish,
      'searches by part of a name': byName,
    },
    422: { 'rejects a search text that is too long': longSearch },
    ...cacheCases(),
  }
}
