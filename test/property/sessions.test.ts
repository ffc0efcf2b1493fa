// Refresh tokens, and the results of an exchange.
import fc from 'fast-check'
import t from 'tap'
import { hmacRefreshTokens } from '../../src/adapters/tokens/refresh-tokens.ts'
import { maskAddress } from '../../src/domain/text.ts'
import { evaluateExchange } from '../../src/domain/sessions/session.ts'

const DAY_MS = 86_400_000

void t.test('reads back its own refresh tokens only', async (t) => {
  const tokens = hmacRefreshTokens([Buffer.alloc(32, 1)])
  const others = hmacRefreshTokens([Buffer.alloc(32, 2)])
  const claims = fc.record({ sessionId: fc.uuid(), generation: fc.nat() })
  await t.resolves(
    fc.assert(
      fc.asyncProperty(claims, fc.nat(51), fc.integer({ min: 1, max: 255 }), async (claims, at, change) => {
        const token = tokens.issue(claims)
        t.same(tokens.read(token), claims)
        t.equal(others.read(token), undefined)
        const bytes = Buffer.from(token, 'base64url')
        bytes[at] = (bytes[at] ?? 0) ^ change
        t.equal(tokens.read(bytes.toString('base64url')), undefined)
        t.equal(tokens.read(`${token}=`), undefined)
      }),
    ),
  )
  await t.resolves(
    fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        t.equal(tokens.read(text), undefined)
      }),
    ),
  )
})

void t.test(
  'accepts the last refresh token, and its predecessor within the grace period or while the last one is unused',
  async (t) => {
    const at = fc.record({
      generation: fc.nat(),
      presented: fc.nat(),
      successorUnused: fc.boolean(),
      lostSuccessors: fc.nat(3),
      idleMs: fc.nat(40 * DAY_MS),
      agedMs: fc.nat(120 * DAY_MS),
    })
    await t.resolves(
      fc.assert(
        fc.asyncProperty(at, async ({ presented, idleMs, agedMs, ...columns }) => {
          const nowMs = 200 * DAY_MS
          const refreshedAtMs = nowMs - idleMs
          const session = { ...columns, refreshedAtMs, createdAtMs: refreshedAtMs - agedMs }
          const { generation, successorUnused, lostSuccessors } = columns
          const predecessor = generation - 1 - lostSuccessors
          const isOver = idleMs >= 30 * DAY_MS || idleMs + agedMs >= 90 * DAY_MS
          for (const token of [presented, generation, generation - 1, predecessor]) {
            const again = idleMs <= 30_000 ? 'repeated' : successorUnused ? 'renewed' : 'reused'
            const verdict = token === generation ? 'exchanged' : token === predecessor ? again : 'reused'
            t.equal(evaluateExchange(session, token, nowMs), isOver ? 'expired' : verdict)
          }
        }),
      ),
    )
  },
)

void t.test('masks addresses to their network', (t) => {
  t.equal(maskAddress('203.0.113.77'), '203.0.113.*')
  t.equal(maskAddress('2001:db8:12:34::1'), '2001:db8:12:*')
  t.equal(maskAddress('::1'), ':*')
  t.end()
})
