// What every lookup answers.
import type { OperationId } from '../../src/contract.ts'
import { cacheStories, commonStories } from './common-stories.ts'
import type { Story, Told } from './contract.ts'

type Item = { id: number; name: string; name_ar: string; name_en: string }

/** @param least how many there are at least */
export function lookupStories(id: OperationId, least: number): Record<200 | 304 | 400 | 422 | 500 | 503, Told> {
  const common = commonStories(id, () => ({}), 'lookups')
  const everything: Story = async (send, _world, t) => {
    const received = await send({ language: 'ar' })
    const { items } = received.body.data as { items: Item[] }
    t.ok(items.length >= least, `${items.length} items`)
    t.ok(items.every(({ name, name_ar: ar }) => name === ar))
    t.match(received.headers, {
      'cache-control': 'public, max-age=300',
      vary: /Accept-Language/,
      'content-language': 'ar',
    })
    return received
  }
  const inEnglish: Story = async (send, _world, t) => {
    const received = await send({ language: 'en' })
    const { items } = received.body.data as { items: Item[] }
    t.ok(items.every(({ name, name_en: en }) => name === en))
    const named = items.map(({ name }) => name).filter((name) => !name.startsWith('Other'))
    t.same(named, [...named].sort(new Intl.Collator('en').compare), 'sorted by name')
    return received
  }
  const byName: Story = async (send, _world, t) => {
    const all = (await send()).body.data as { items: Item[] }
    const [first] = all.items
    const received = await send({ query: { q: ` ${first?.name_en.toUpperCase().slice(0, 4) ?? ''}` } })
    const found = (received.body.data as { items: Item[] }).items
    t.ok(found.some((item) => item.id === first?.id))
    t.ok(found.length < all.items.length)
    return received
  }
  const longSearch: Story = async (send, _world, t) => {
    const received = await send({ query: { q: 'x'.repeat(101) } })
    t.same(received.body.data.codes, { q: ['too_long'] })
    return received
  }
  return {
    ...common,
    200: { 'all of them': everything, 'all of them in English': inEnglish, 'those with a part of a name': byName },
    422: { 'a search that is too long': longSearch },
    ...cacheStories(),
  }
}
