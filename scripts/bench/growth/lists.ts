import { parseUserSearch } from '../../../src/domain/accounts/administration.ts'
import type { EventName } from '../../../src/domain/audit/audit-context.ts'
import type { AccountEvent, EventState } from '../../../src/domain/event.ts'
import type { Store } from '../../../src/store/index.ts'
import type { Subject } from './fill.ts'
import type { Measure, Measured } from './operations.ts'

const LIMIT = 20
/** Pages of one list that are measured */
const PAGES_MAX = 40

type Filters = Pick<Parameters<Store['users']['list']>[0], 'accountType' | 'status' | 'reviewStatus'>

const ALL: Filters = { accountType: undefined, status: undefined, reviewStatus: undefined }

/** Measures each page of each list on its own. */
export function lists(store: Store, subjects: readonly Subject[]): Measured[] {
  return [...searches(subjects).map((search) => usersList(store, search)), ...auditLists(store), ...eventLists(store)]
}

type Search = readonly [text: string | undefined, filters?: Partial<Filters>]

/** Frequent, rare and absent texts, and texts whose parts are frequent although they are rare as a whole */
function searches([oldest]: readonly Subject[]): Search[] {
  const { email = '', phone = '' } = oldest ?? {}
  const deep: Filters = { accountType: 'lawyer', status: 'suspended', reviewStatus: 'pending' }
  const texts = ['gmail.com', 'محمد', '05', '966', email, email.slice(0, -3), phone, phone.slice(-8), '4242']
  const hard = ['com gmail', 'محمد محمد محمد الحربي', 'سعد سعد سعد', 'user12', 'xyz', 'x', 'no such text at all', '@']
  return [
    [undefined],
    ...(Object.keys(deep) as (keyof Filters)[]).map((name): Search => [undefined, { [name]: deep[name] }]),
    [undefined, deep],
    ...[...texts, ...hard].map((text): Search => [text]),
    ...['gmail.com', 'محمد', 'xyz', 'سعد سعد سعد', email].map((text): Search => [text, { status: 'suspended' }]),
    ...['gmail.com', 'محمد', 'xyz', 'سعد سعد سعد'].map((text): Search => [text, deep]),
  ]
}

function usersList(store: Store, [text, filters = {}]: Search): Measured {
  const name = [text?.replaceAll(/\d{6,}/g, '…'), ...Object.values(filters)].filter(Boolean).join(', ')
  return {
    name: `users: ${name || 'all'}`,
    async run(measure) {
      let before: number | undefined
      for (let page = 0; page < PAGES_MAX; page++) {
        const search = text === undefined ? undefined : parseUserSearch(text)
        const { next } = await measure(() => store.users.list({ ...ALL, ...filters, search, before }, LIMIT))
        if (next === undefined) return
        before = page === PAGES_MAX / 2 ? Math.floor(next / 2) : next // continues with old accounts
      }
    },
  }
}

function auditLists(store: Store): Measured[] {
  const none = { accountId: undefined, actorId: undefined, event: undefined, since: undefined, until: undefined }
  const days = (count: number): Date => new Date(Date.now() - count * 86_400_000)
  const filters: Record<string, Partial<Parameters<Store['auditTrail']['list']>[0]>> = {
    all: {},
    'one account': { accountId: 100 },
    'one administrator': { actorId: 3 },
    'one administrator, one event': { actorId: 3, event: 'login_failed' },
    'a frequent event': { event: 'login' },
    'an absent event': { event: 'user_suspended' satisfies EventName },
    'one day': { since: days(101), until: days(100) },
    'an event on one day': { event: 'login_failed', since: days(101), until: days(100) },
  }
  return Object.entries(filters).map(([name, given]) => ({
    name: `audit: ${name}`,
    run: (measure) =>
      firstPages<{ at: Date; id: bigint }>(measure, (before) =>
        store.auditTrail.list({ ...none, ...given, before }, LIMIT),
      ),
  }))
}

function eventLists(store: Store): Measured[] {
  const states: readonly (EventState | undefined)[] = [undefined, 'waiting', 'delivered', 'failed', 'unsent']
  const types: readonly (AccountEvent['type'] | undefined)[] = [undefined, 'account.suspended', 'lawyer.reviewed']
  const combinations = states.flatMap((state) => types.map((type) => ({ state, type, accountId: undefined })))
  return [...combinations, { state: 'failed' as const, type: undefined, accountId: 100 }].map((filters) => ({
    name: `events: ${[filters.state, filters.type, filters.accountId].filter(Boolean).join(', ') || 'all'}`,
    run: (measure) =>
      firstPages<{ id: bigint }>(measure, (last) => store.events.list({ ...filters, before: last?.id }, LIMIT)),
  }))
}

/** Measures the first pages of a list, each of which begins after the last row of the page before. */
async function firstPages<Row>(
  measure: Measure,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): Promise<void> {
  let last: Row | undefined
  for (let page = 0; page < 5; page++) {
    const rows = await measure(() => read(last))
    last = rows.at(-1)
    if (!last) return
  }
}
